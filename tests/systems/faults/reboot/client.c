/* Tells the store a number and asks for it. Asks again if there is no answer for 20 seconds. */
#include <poll.h>

#include "../../sockets.h"

static char answer(int fd, char byte) {
  struct pollfd wanted = {fd, POLLIN, 0};
  do {
    assert(write(fd, &byte, 1) == 1);
  } while (poll(&wanted, 1, 20000) == 0);
  assert(read(fd, &byte, 1) == 1);
  return byte;
}

int main(void) {
  int fd = connected(SOCK_DGRAM, "store", 7000);
  assert(answer(fd, 7) == 7);
  assert(answer(fd, 0) == 7); // mark: kept
  return 0;
}
