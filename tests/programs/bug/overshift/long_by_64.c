//@ paths: 1
// A 64-bit mask of n bits, wrong for n = 64 only.
#include <klee/klee.h>

volatile unsigned long sink;

int main(void) {
  unsigned n = (unsigned)klee_range(0, 65, "n");
  sink = (1UL << n) - 1; // expect: bug overshift
  return 0;
}
