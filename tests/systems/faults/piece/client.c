/* Sends a greeting over each of two connections. */
#include "../../sockets.h"

int main(void) {
  for (int i = 0; i < 2; i++) {
    int fd = connected(SOCK_STREAM, "server", 7000);
    assert(write(fd, "good", 4) == 4);
    assert(close(fd) == 0);
  }
  return 0;
}
