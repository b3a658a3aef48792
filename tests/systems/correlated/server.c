/* Tells three kinds of bytes apart. */
#include "../sockets.h"

static volatile int tiny, small, large;

int main(void) {
  unsigned char byte;
  int fd = bound(SOCK_DGRAM, 7000);
  assert(recv(fd, &byte, 1, 0) == 1);
  if (byte < 5)
    tiny++;
  else if (byte < 10)
    small++;
  else
    large++;
  return 0;
}
