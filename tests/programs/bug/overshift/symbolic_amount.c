//@ paths: 1
// A shift amount of zero to forty is too large from 32 on.
#include <klee/klee.h>

volatile unsigned sink;

int main(void) {
  unsigned n = (unsigned)klee_range(0, 41, "n");
  sink = 0x80000000u >> n; // expect: bug overshift
  return 0;
}
