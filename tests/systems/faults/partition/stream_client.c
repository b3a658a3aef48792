/* Sends a byte. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7000);
  write_all(fd, "x", 1);
  return 0;
}
