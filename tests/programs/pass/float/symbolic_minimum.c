//@ paths: 1
// Minimum and maximum of two numbers are these numbers.
#include <assert.h>
#include <klee/klee.h>
#include <math.h>

int main(void) {
  int a = klee_range(-50, 50, "a"), b = klee_range(-50, 50, "b");
  double x = a / 4.0, y = b / 4.0;
  double low = __builtin_fmin(x, y), high = __builtin_fmax(x, y);
  assert((low + high == x + y) & (low <= high));
  return 0;
}
