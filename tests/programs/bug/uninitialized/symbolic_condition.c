// A variable is set on one side of a branch only.
//@ args: --check uninitialized
//@ findings: 1
//@ paths: 3
#include <klee/klee.h>

static volatile int yes;

int main(void) {
  volatile int found;
  int n = klee_range(0, 10, "n");
  if (n > 4)
    found = n;
  if (found == 7) // expect: bug uninitialized
    yes = 1;
  return 0;
}
