/* Sends back what comes over a connection. */
#include "../../sockets.h"

int main(void) {
  int listener = listening(7000);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    char byte;
    assert(fd >= 0);
    while (read(fd, &byte, 1) == 1) assert(write(fd, &byte, 1) == 1);
    assert(close(fd) == 0);
  }
}
