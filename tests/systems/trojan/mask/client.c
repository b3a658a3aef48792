/* Reports a level up to 5, with the time at which it was measured: the seconds since the start, below 60. */
#include <everett.h>

#include "../../sockets.h"

struct report {
  unsigned char seconds, level;
};

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7124);
  struct report report;
  char answer;
  everett_symbolic(report);
  if (report.seconds >= 60 || report.level > 5) return 0;
  assert(send(fd, &report, sizeof report, 0) == sizeof report);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
