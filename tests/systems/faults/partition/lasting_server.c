/* Takes a byte, if it comes. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char byte;
  ssize_t count = read(fd, &byte, 1);
  assert(count == 1 ? byte == 'x' : errno == ETIMEDOUT);
  if (count == 1) assert(read(fd, &byte, 1) == 0);
  return 0;
}
