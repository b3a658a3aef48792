/* Asks over a connection. Asks again when it hears nothing for 20 seconds, and on a new connection when the
   old one is gone. With the argument "naive" it does not expect that, with "late" it begins after five seconds. */
#include <poll.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int is_naive = argc > 1 && strcmp(argv[1], "naive") == 0;
  if (argc > 1 && !is_naive) sleep(5);
  int fd = connected(SOCK_STREAM, "echo", 7000);
  for (;;) {
    struct pollfd wanted = {fd, POLLIN, 0};
    char byte = 1;
    assert(send(fd, &byte, 1, MSG_NOSIGNAL) == 1);
    if (poll(&wanted, 1, 20000) == 0) continue;
    ssize_t count = read(fd, &byte, 1);
    if (count == 1) return 0;
    assert(count == -1 && errno == ECONNRESET);
    assert(!is_naive); // mark: reset
    assert(close(fd) == 0);
    fd = connected(SOCK_STREAM, "echo", 7000);
  }
}
