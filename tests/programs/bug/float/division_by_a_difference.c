// The difference of two numbers of different size is zero where the smaller one gets lost.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  double a = klee_range(1, 1000, "a"), step = 1e-14;
  double b = a + step;
  assert(1 / (b - a) < 1e300); // expect: bug assert
  return 0;
}
