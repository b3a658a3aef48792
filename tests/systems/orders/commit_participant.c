/* Votes as a symbolic input says, and hears what is decided. */
#include <klee/klee.h>

#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "coordinator", 5000);
  char ready, decision;
  klee_make_symbolic(&ready, 1, "ready");
  if (ready)
    assert(send(fd, "y", 1, 0) == 1);
  else
    assert(send(fd, "n", 1, 0) == 1);
  assert(recv(fd, &decision, 1, 0) == 1);
  assert(decision == 'a' || ready);
  return 0;
}
