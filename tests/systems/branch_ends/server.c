/* Uses what it is sent as an index. */
#include "../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  unsigned char index;
  volatile char table[8];
  assert(read(fd, &index, 1) == 1);
  table[index] = 1; // mark: table
  return 0;
}
