//@ paths: 1
// Signed symbolic division keeps C's rounding for all signs of both operands.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  signed char x, d;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&d, sizeof d, "d");
  klee_assume(d != 0);
  volatile int q = x / d, r = x % d;
  assert(q * d + r == x);
  assert((r == 0) | ((r < 0) == (x < 0)));
  return 0;
}
