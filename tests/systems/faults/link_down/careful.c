/* Asks again each second, four times at most, until it is answered. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  for (int attempt = 1; attempt <= 4; attempt++) {
    char byte = attempt;
    assert(write(fd, &byte, 1) == 1);
    if (poll(&wanted, 1, 1000) == 0) continue;
    assert(read(fd, &byte, 1) == 1 && byte == attempt);
    return 0;
  }
  assert(!"answered"); // mark: answered
}
