/* Reports a temperature from 0 to 100. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7123);
  unsigned char report[2] = {'t'};
  klee_make_symbolic(&report[1], 1, "temperature");
  if (report[1] > 100) return 0;
  assert(send(fd, report, sizeof report, 0) == sizeof report);
  return 0;
}
