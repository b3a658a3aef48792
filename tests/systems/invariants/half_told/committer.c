/* Votes yes, and aborts if nobody tells it to commit. What it was told last counts, until nothing comes for a second. */
#include <everett.h>
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  everett_faults(0);
  int fd = connected(SOCK_DGRAM, "coordinator", 5000);
  assert(send(fd, "y", 1, 0) == 1);
  char told[8] = "abort";
  struct pollfd answer = {.fd = fd, .events = POLLIN};
  while (poll(&answer, 1, 1000) == 1) {
    ssize_t size = recv(fd, told, sizeof told - 1, 0);
    assert(size > 0);
    told[size] = 0;
  }
  klee_invariant_expose_data(1, "decision", told, strlen(told)); // mark: decision
  return 0;
}
