/* Adds every payment once, by its number. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), total = 0;
  struct pollfd wanted = {fd, POLLIN, 0};
  char payment, last = 0;
  while (poll(&wanted, 1, 1000) == 1) {
    assert(read(fd, &payment, 1) == 1);
    if (payment != last) total++;
    last = payment;
  }
  assert(total == 1);
  return 0;
}
