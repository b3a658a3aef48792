// The discriminant of a quadratic equation is negative, and its root no number.
#include <assert.h>
#include <klee/klee.h>
#include <math.h>

int main(void) {
  int b = klee_range(0, 20, "b"), c = klee_range(0, 20, "c");
  double root = sqrt(b * b - 4.0 * c);
  if (root > 3 && root < 3.2)
    assert(b * b - 4 * c != 10); // 10 leaves a remainder that a square never does
  assert(!isnan(root));          // expect: bug assert
  return 0;
}
