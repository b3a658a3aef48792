/* Does not ask how much of a number has come. */
#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  unsigned number = 0;
  assert(read(fd, &number, 4) >= 0);
  assert(ntohl(number) == 0x01020304); // mark: whole
  return 0;
}
