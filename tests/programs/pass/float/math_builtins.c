//@ native: yes
//@ cflags: -fno-math-errno
// Square root, absolute value, rounding, copysign, min, max and fused multiply-add intrinsics.
#include <stdio.h>

volatile double xs[] = {2.5, -2.5, 0.5, -0.4, 1e10, 16.0};

static long milli(double d) { return (long)(d * 1000); }

int main(void) {
  for (int i = 0; i < 6; i++) {
    double x = xs[i];
    printf("%ld %ld ", milli(__builtin_sqrt(__builtin_fabs(x))), milli(__builtin_fabs(x)));
    printf("%ld %ld ", milli(__builtin_floor(x)), milli(__builtin_ceil(x)));
    printf("%ld %ld ", milli(__builtin_trunc(x)), milli(__builtin_rint(x)));
    printf("%ld %ld ", milli(__builtin_round(x)), milli(__builtin_copysign(3.0, x)));
    printf("%ld %ld\n", milli(__builtin_fmin(x, 1.0)), milli(__builtin_fmax(x, 1.0)));
  }
  return 0;
}
