/* Connects to a port of the server, and then sends a byte, ends the connection, or breaks it off. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 3);
  int fd = connected(SOCK_STREAM, "server", atoi(argv[1]));
  if (strcmp(argv[2], "send") == 0) write_all(fd, "a", 1);
  if (strcmp(argv[2], "reset") == 0) {
    struct linger at_once = {1, 0};
    assert(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
  }
  close(fd);
  return 0;
}
