/* Takes whole numbers only. */
#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  unsigned number = 0;
  if (read(fd, &number, 4) == 4) assert(ntohl(number) == 0x01020304);
  return 0;
}
