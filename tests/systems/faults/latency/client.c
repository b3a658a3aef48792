/* Asks for a deposit, and once more if that is not confirmed within 100 ms. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "bank", 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  char number = 1;
  assert(write(fd, &number, 1) == 1);
  if (poll(&wanted, 1, 100) == 1) return 0;
  assert(write(fd, &number, 1) == 1);
  assert(poll(&wanted, 1, 1000) == 1);
  return 0;
}
