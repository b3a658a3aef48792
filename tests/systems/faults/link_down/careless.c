/* Asks once and waits for the answer, however long it takes. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  char byte = 1;
  assert(write(fd, &byte, 1) == 1);
  assert(read(fd, &byte, 1) == 1); // mark: answer
  return 0;
}
