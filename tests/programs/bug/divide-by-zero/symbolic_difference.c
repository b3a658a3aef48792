//@ paths: 2
// The divisor is zero when two inputs are equal; the completed paths branch once more.
#include <klee/klee.h>

volatile int sink, hits;

int main(void) {
  int a = klee_range(0, 100, "a"), b = klee_range(0, 100, "b");
  int slope = 100 / (a - b); // expect: bug divide-by-zero
  if (slope > 1)
    hits++;
  sink = slope;
  return 0;
}
