/* Gives a connection up while it is being made, and makes another one. */
#include "line.h"

int main(void) {
  char text[64];
  struct sockaddr_in peer = address_of("peer", 7000);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  assert(connect(fd, (struct sockaddr *)&peer, sizeof peer) == -1 && errno == EINPROGRESS);
  close(fd);
  fd = connected(SOCK_STREAM, "peer", 7000);
  assert(ask(fd, "who am I\n", text, sizeof text) == 1);
  assert(strcmp(text, "2") == 0);
  close(fd);
  return 0;
}
