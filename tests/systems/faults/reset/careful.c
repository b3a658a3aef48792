/* Asks again on a new connection if the old one was broken off. */
#include "../../sockets.h"

int main(void) {
  for (int attempt = 1; attempt <= 2; attempt++) {
    int fd = connected(SOCK_STREAM, "server", 7000);
    char byte = attempt;
    write_all(fd, &byte, 1);
    if (read(fd, &byte, 1) == 1) return 0;
    assert(errno == ECONNRESET);
    close(fd);
  }
  assert(!"answered");
}
