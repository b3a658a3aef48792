/* Adds up two numbers, and takes for granted that one is there whenever it is told so. */
#include <fcntl.h>
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), sum = 0;
  assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
  for (int i = 0; i < 2; i++) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char number = 0;
    assert(poll(&ready, 1, -1) == 1);
    assert(recv(fd, &number, 1, 0) == 1); // mark: guilty
    sum += number;
  }
  assert(sum == 3);
  return 0;
}
