/* Asks for one of eight entries. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7115);
  unsigned char entry, answer;
  everett_symbolic(entry);
  if (entry >= 8) return 0;
  assert(send(fd, &entry, 1, 0) == 1);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
