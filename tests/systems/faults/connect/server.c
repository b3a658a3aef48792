/* Greets everybody. */
#include "../../sockets.h"

int main(void) {
  int listener = listening(7000);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    write_all(fd, "!", 1);
    close(fd);
  }
}
