//@ paths: 1
// For every x and non-zero d, x == x / d * d + x % d and the remainder is below d.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x, d;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&d, sizeof d, "d");
  klee_assume(d != 0);
  volatile unsigned char q = x / d, r = x % d;
  assert(q * d + r == x);
  assert(r < d);
  return 0;
}
