//@ opt: O0
//@ findings: 1
// A pointer to one of two arrays of different length, used with an index that fits only one.
#include <klee/klee.h>

int small[2], large[8];
volatile int sink;

int main(void) {
  int *p = klee_int("which") ? large : small;
  sink = p[5]; // expect: bug out-of-bounds
  return 0;
}
