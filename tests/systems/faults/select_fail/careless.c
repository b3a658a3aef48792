/* Adds up two numbers, and takes for granted that one is there when the wait is over. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), sum = 0;
  for (int i = 0; i < 2; i++) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char number = 0;
    poll(&ready, 1, -1);
    assert(ready.revents & POLLIN); // mark: guilty
    assert(recv(fd, &number, 1, 0) == 1);
    sum += number;
  }
  assert(sum == 3);
  return 0;
}
