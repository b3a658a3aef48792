/* Takes a byte and the end of the stream. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char byte;
  assert(read_all(fd, &byte, 1) == 1 && byte == 'x');
  assert(read(fd, &byte, 1) == 0);
  return 0;
}
