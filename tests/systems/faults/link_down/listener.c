/* Notes which of three beats it hears. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), heard = 0;
  struct pollfd wanted = {fd, POLLIN, 0};
  char beat;
  while (poll(&wanted, 1, 4000) == 1) {
    assert(read(fd, &beat, 1) == 1);
    heard |= 1 << beat;
  }
  assert((heard & ~14) == 0);
  return 0;
}
