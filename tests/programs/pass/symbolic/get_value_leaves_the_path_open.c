//@ paths: 2
// After klee_get_value both sides of a later branch are still feasible.
#include <klee/klee.h>

volatile int sink, hits;

int main(void) {
  int x = klee_range(0, 2, "x");
  sink = klee_get_value_i32(x);
  if (x == 0)
    hits++;
  return 0;
}
