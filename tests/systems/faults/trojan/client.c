/* Asks for one of eight entries. A server that does not know it says nothing. */
#include <everett.h>
#include <sys/time.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 6115);
  struct timeval second = {.tv_sec = 1};
  unsigned char entry, answer;
  everett_symbolic(entry);
  if (entry >= 8) return 0;
  assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second) == 0);
  assert(send(fd, &entry, 1, 0) == 1);
  recv(fd, &answer, 1, 0);
  return 0;
}
