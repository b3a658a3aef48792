/* Decides when it is asked, and tells. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;
  char decision;
  assert(recvfrom(fd, &decision, 1, 0, (struct sockaddr *)&peer, &length) == 1);
  everett_expose(1, "decision", decision);
  assert(sendto(fd, &decision, 1, 0, (struct sockaddr *)&peer, length) == 1);
  return 0;
}
