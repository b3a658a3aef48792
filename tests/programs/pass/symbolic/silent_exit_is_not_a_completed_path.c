//@ opt: O0 O2
//@ paths: 2
// klee_silent_exit ends its path without a test, a finding, or a completed path.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  int x = klee_range(0, 100, "x");
  if (x < 10)
    klee_silent_exit(1);
  if (x < 20)
    hits++;
  return 0;
}
