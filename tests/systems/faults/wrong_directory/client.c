/* Gets a file twice. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  for (int i = 0; i < 2; i++) {
    char text[16];
    assert(write(fd, "greeting", 8) == 8);
    assert(read(fd, text, sizeof text) == 5); // mark: served
  }
  return 0;
}
