//@ paths[O0]: 5
//@ paths[O2]: 3
// A float is of one of five classes.
#include <klee/klee.h>
#include <math.h>

volatile int sink;

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (fpclassify(x)) {
  case FP_NAN: sink = 1; break;
  case FP_INFINITE: sink = 2; break;
  case FP_ZERO: sink = 3; break;
  case FP_SUBNORMAL: sink = 4; break;
  default: sink = 5; break;
  }
  return 0;
}
