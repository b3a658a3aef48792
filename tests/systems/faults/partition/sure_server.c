/* Takes a byte from whoever has connected: it is sent at once. */
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  struct pollfd wanted = {fd, POLLIN, 0};
  char byte;
  assert(poll(&wanted, 1, 1000) == 1);
  assert(read(fd, &byte, 1) == 1 && byte == 'x');
  return 0;
}
