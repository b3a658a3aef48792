/* Answers at once. */
#include "../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;
  char byte;
  assert(recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&peer, &length) == 1);
  assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, length) == 1);
  return 0;
}
