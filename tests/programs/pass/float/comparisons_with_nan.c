//@ native: yes
// Ordered and unordered comparisons: NaN is unequal to everything, signed zeros are equal.
#include <stdio.h>

volatile double zero = 0.0, one = 1.0;

int main(void) {
  double nan = zero / zero, inf = one / zero;
  double v[] = {nan, inf, -inf, 0.0, -0.0, 1.0};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      double a = v[i], b = v[j];
      printf("%d%d%d%d%d%d", a == b, a != b, a < b, a <= b, a > b, a >= b);
      printf("%d%d ", __builtin_isunordered(a, b), __builtin_islessgreater(a, b));
    }
    printf("%d %d\n", __builtin_isnan(v[i]) != 0, __builtin_isinf(v[i]) != 0);
  }
  return 0;
}
