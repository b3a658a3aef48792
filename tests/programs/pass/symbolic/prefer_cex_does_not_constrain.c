//@ paths: 2
// A preference for the test case excludes nothing, even one that contradicts a later branch.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  char c[2];
  klee_make_symbolic(c, sizeof c, "c");
  klee_prefer_cex(c, c[0] == 'a');
  klee_posix_prefer_cex(c, c[1] > 31);
  if (c[0] == 'b')
    hits++;
  return 0;
}
