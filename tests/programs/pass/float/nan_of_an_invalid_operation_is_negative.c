//@ native: yes
// Invalid operations give a NaN whose sign is set, in each format.
#include <stdio.h>

volatile float f0 = 0;
volatile double d0 = 0;
volatile long double l0 = 0;

int main(void) {
  float finf = 1 / f0;
  double dinf = 1 / d0;
  long double linf = 1 / l0;
  printf("%d %d\n", __builtin_signbit(f0 / f0) != 0, __builtin_signbit(finf - finf) != 0);
  printf("%d %d\n", __builtin_signbit(d0 / d0) != 0, __builtin_signbit(dinf * d0) != 0);
  printf("%d %d\n", __builtin_signbit(l0 / l0) != 0, __builtin_signbit(linf - linf) != 0);
  printf("%d %d\n", __builtin_signbit(linf * l0) != 0, __builtin_signbit(linf / linf) != 0);
  return 0;
}
