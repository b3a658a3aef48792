/* Opens a valve to a level up to 5. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7117);
  unsigned char level;
  everett_symbolic(level);
  if (level > 5) return 0;
  assert(send(fd, &level, 1, 0) == 1);
  return 0;
}
