/* Sends a word behind its length. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  assert(write(fd, "\3abc", 4) == 4);
  return 0;
}
