/* Pays once. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "account", 7000);
  char payment = 1;
  assert(write(fd, &payment, 1) == 1);
  return 0;
}
