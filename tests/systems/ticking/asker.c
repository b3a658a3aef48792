/* Asks a server once, and does not wait for an answer. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  int fd = connected(SOCK_DGRAM, argv[1], 7000);
  assert(write(fd, "?", 1) == 1);
  return 0;
}
