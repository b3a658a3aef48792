/* Keeps the newest value. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  char value = 0, newest = 0, next;
  while (poll(&wanted, 1, 5000) == 1) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &next, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    assert(sendto(fd, &next, 1, 0, (struct sockaddr *)&peer, length) == 1);
    if (next > value) value = next;
    if (next > newest) newest = next;
  }
  assert(value == newest);
  return 0;
}
