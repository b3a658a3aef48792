//@ paths: 1
// The solver proves x + y == (x ^ y) + 2 * (x & y) for all 32-bit values.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  volatile unsigned left = x + y, right = (x ^ y) + 2 * (x & y);
  assert(left == right);
  return 0;
}
