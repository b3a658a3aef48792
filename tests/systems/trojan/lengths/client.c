/* Sets a switch: its number, and on or off. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7118);
  unsigned char request[2], answer;
  everett_symbolic(request);
  if (request[1] > 1) return 0;
  assert(send(fd, request, sizeof request, 0) == sizeof request);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
