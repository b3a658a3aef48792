//@ paths: 1
// After klee_assume the excluded values are gone, also for conditions that are not 0 or 1.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_assume(x & 12);
  klee_assume((x < 16) & (y == x + 1));
  assert(x >= 4);
  assert(y >= 5 && y <= 16);
  return 0;
}
