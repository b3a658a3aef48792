//@ paths: 1
// A divisor that may be zero: one finding, and one path for all other values.
#include <klee/klee.h>

volatile unsigned sink;

int main(void) {
  unsigned d;
  klee_make_symbolic(&d, sizeof d, "d");
  sink = 1000 / d; // expect: bug divide-by-zero
  return 0;
}
