/* Sends a word. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7000);
  write_all(fd, "ping", 4);
  return 0;
}
