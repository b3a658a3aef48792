/* Adds every payment that comes in. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), total = 0;
  struct pollfd wanted = {fd, POLLIN, 0};
  char payment;
  while (poll(&wanted, 1, 1000) == 1) {
    assert(read(fd, &payment, 1) == 1);
    total++;
  }
  assert(total == 1); // mark: once
  return 0;
}
