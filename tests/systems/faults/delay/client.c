/* Sets a value, and another one if that is not confirmed within a second. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  for (char value = 1; value <= 2; value++) {
    assert(write(fd, &value, 1) == 1);
    if (poll(&wanted, 1, 1000) == 1) return 0;
  }
  assert(!"confirmed");
}
