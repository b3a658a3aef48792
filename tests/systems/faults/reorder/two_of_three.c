/* Takes letters in any order until there are none for a second; one may be missing. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), count = 0;
  struct pollfd wanted = {fd, POLLIN, 0};
  char letter;
  while (poll(&wanted, 1, 1000) == 1) {
    assert(read(fd, &letter, 1) == 1);
    count++;
  }
  assert(count == 2 || count == 3);
  return 0;
}
