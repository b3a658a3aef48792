/* Sends a number. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  unsigned number = htonl(0x01020304);
  assert(write(fd, &number, 4) == 4);
  return 0;
}
