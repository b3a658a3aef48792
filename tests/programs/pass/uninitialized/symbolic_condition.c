// A variable is set on one side of a branch, and used there only.
//@ args: --check uninitialized
//@ native: yes
//@ paths: 3
#include <klee/klee.h>

static volatile int yes;

int main(void) {
  volatile int found;
  int n = klee_range(0, 10, "n");
  if (n > 4)
    found = n;
  if (n > 4 && found == 7)
    yes = 1;
  return 0;
}
