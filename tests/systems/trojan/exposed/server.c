/* Sets a valve to any level below 8. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7117);
  for (;;) {
    unsigned char level;
    if (recv(fd, &level, 1, MSG_TRUNC) != 1 || level > 7) continue;
    everett_expose(1, "level", level); // mark: exposed
  }
}
