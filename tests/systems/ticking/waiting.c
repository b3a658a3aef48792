/* Waits for an answer to what it never asked. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  int fd = connected(SOCK_DGRAM, argv[1], 7000);
  char byte;
  assert(read(fd, &byte, 1) == 1);
  return 0;
}
