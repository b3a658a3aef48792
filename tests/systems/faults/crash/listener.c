/* Waits for the end of a connection that nothing comes over. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char byte;
  assert(fd >= 0);
  return read(fd, &byte, 1); // mark: waiting
}
