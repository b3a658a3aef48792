/* Votes as a symbolic input says, and does what the coordinator decides. */
#include <klee/klee.h>

#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "coordinator", 5000);
  char ready, decision;
  klee_make_symbolic(&ready, 1, "ready");
  int voted_yes = 0;
  if (ready) {
    voted_yes = 1;
    write_all(fd, "y", 1);
  } else {
    write_all(fd, "n", 1);
  }
  assert(read(fd, &decision, 1) == 1); // mark: decision
  assert(decision == 'a' || voted_yes); // mark: agreement
  write_all(fd, &decision, 1);
  return 0;
}
