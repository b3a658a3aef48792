/* Sends a datagram for each letter of its argument, all at once. */
#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  assert(argc == 2);
  for (const char *letter = argv[1]; *letter; letter++) assert(write(fd, letter, 1) == 1);
  return 0;
}
