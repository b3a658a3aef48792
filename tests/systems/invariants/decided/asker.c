/* Asks for a decision, and does not wait for ever. */
#include <everett.h>
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "decider", 7000);
  struct pollfd answer = {fd, POLLIN, 0};
  char decision = 1;
  assert(write(fd, &decision, 1) == 1);
  if (poll(&answer, 1, 5000) == 0) return 0;
  assert(read(fd, &decision, 1) == 1);
  everett_expose(1, "decision", decision);
  return 0;
}
