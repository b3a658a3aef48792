//@ paths: 1
// The floor of a number is at most the number, and less than one away from it.
#include <assert.h>
#include <klee/klee.h>
#include <math.h>

int main(void) {
  short n;
  klee_make_symbolic(&n, sizeof n, "n");
  double x = n / 16.0, down = __builtin_floor(x), up = __builtin_ceil(x);
  assert((down <= x) & (x < down + 1) & (up - down <= 1) & (__builtin_trunc(x) * x >= 0));
  return 0;
}
