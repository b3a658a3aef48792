/* Waits for a greeting before it sends its own. */
#include "../sockets.h"

int main(int argc, char **argv) {
  struct sockaddr_in peer = address_of(argv[1], 7000);
  int fd = bound(SOCK_DGRAM, 7000);
  char greeting[8];
  assert(recv(fd, greeting, sizeof greeting, 0) > 0); // mark: greeting
  sendto(fd, "hello", 5, 0, (struct sockaddr *)&peer, sizeof peer);
  return 0;
}
