/* Books every request that comes. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), booked = 0;
  struct pollfd wanted = {fd, POLLIN, 0};
  while (poll(&wanted, 1, 1000) == 1) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char number;
    assert(recvfrom(fd, &number, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    booked++;
    assert(sendto(fd, &number, 1, 0, (struct sockaddr *)&peer, length) == 1);
  }
  assert(booked == 1); // mark: booked
  return 0;
}
