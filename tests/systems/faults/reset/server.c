/* Answers one request on each connection. */
#include "../../sockets.h"

int main(void) {
  int listener = listening(7000);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    char byte;
    if (read(fd, &byte, 1) == 1) write_all(fd, &byte, 1);
    close(fd);
  }
}
