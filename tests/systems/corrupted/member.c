/* Votes as a symbolic input says, and does what it is told, without a branch. */
#include <everett.h>

#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "coordinator", 5000);
  char willing, told;
  klee_make_symbolic(&willing, 1, "willing");
  if (willing)
    assert(send(fd, "y", 1, 0) == 1);
  else
    assert(send(fd, "n", 1, 0) == 1);
  assert(recv(fd, &told, 1, 0) == 1);
  int commit = told == 'c';
  everett_expose(1, "decision", commit); // mark: told
  return 0;
}
