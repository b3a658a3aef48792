/* The user, who may have second thoughts. */
#include <klee/klee.h>

#include "cluster.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "master", MASTER_PORT);
  unsigned char is_cancelled;
  klee_make_symbolic(&is_cancelled, 1, "is_cancelled");
  if (is_cancelled) assert(ask(fd, CANCEL) == CONFIRMED);
  close(fd);
  return 0;
}
