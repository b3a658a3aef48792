/* Asks for a right and uses it at once; asks for another one if it has lost it. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  char byte;
  do {
    assert(write(fd, "g", 1) == 1 && read(fd, &byte, 1) == 1);
    assert(write(fd, "u", 1) == 1 && read(fd, &byte, 1) == 1);
  } while (byte == 'n');
  return 0;
}
