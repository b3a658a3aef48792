/* Reports a level from 1 to 5. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7116);
  unsigned char report[2] = {'l'};
  klee_make_symbolic(&report[1], 1, "level");
  if (report[1] < 1 || report[1] > 5) return 0;
  assert(send(fd, report, sizeof report, 0) == sizeof report);
  return 0;
}
