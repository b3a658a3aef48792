/* Asks for a job, which has a priority below 4. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7122);
  unsigned char priority, answer;
  everett_symbolic(priority);
  if (priority >= 4) return 0;
  assert(send(fd, &priority, 1, 0) == 1);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
