/* Asks once. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7000);
  char byte = 1;
  write_all(fd, &byte, 1);
  assert(read(fd, &byte, 1) == 1); // mark: answer
  return 0;
}
