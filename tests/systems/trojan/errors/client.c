/* Increments or decrements a counter. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7121);
  unsigned char request, answer;
  everett_symbolic(request);
  if (request != '+' && request != '-') return 0;
  assert(send(fd, &request, 1, 0) == 1);
  assert(recv(fd, &answer, 1, 0) == 1 && answer == 'k');
  return 0;
}
