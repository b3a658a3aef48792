/* Takes what comes, and never answers. */
#include "../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  char byte;
  for (;;) assert(recv(fd, &byte, 1, 0) == 1);
}
