/* Asks over a connection. Asks again when it hears nothing for 20 seconds, and on a new connection when the
   old one is gone. With the argument "naive" it does not expect that. */
#include <poll.h>
#include <signal.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = connected(SOCK_STREAM, "echo", 7000);
  for (;;) {
    struct pollfd wanted = {fd, POLLIN, 0};
    char byte = 1;
    assert(send(fd, &byte, 1, MSG_NOSIGNAL) == 1);
    if (poll(&wanted, 1, 20000) == 0) continue;
    ssize_t count = read(fd, &byte, 1);
    if (count == 1) return 0;
    assert(count == -1 && errno == ECONNRESET);
    assert(argc == 1); // mark: reset
    assert(close(fd) == 0);
    fd = connected(SOCK_STREAM, "echo", 7000);
  }
}
