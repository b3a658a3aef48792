/* Tells the server two numbers of its own: the tenfold of the argument, and one more. */
#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  assert(argc > 1);
  for (int i = 0; i < 2; i++) {
    char number = 10 * atoi(argv[1]) + i;
    assert(write(fd, &number, 1) == 1);
  }
  return 0;
}
