/* Says that it relies on the boss, and waits for it. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  klee_invariant_expose_data(1, "relies", "boss", 4); // mark: relies
  int fd = bound(SOCK_DGRAM, 5001);
  char order;
  recv(fd, &order, 1, 0);
  return 0;
}
