//@ native: yes
//@ opt: O0 O2 O3
// The ternary idioms that become smin, smax, umin, umax and abs intrinsics.
#include <stdio.h>

volatile int as[] = {-5, 5, 0, -2147483647, 100};
volatile int bs[] = {3, -3, 0, 2147483647, 100};

int main(void) {
  for (int i = 0; i < 5; i++) {
    int a = as[i], b = bs[i];
    unsigned x = (unsigned)a, y = (unsigned)b;
    int clamped = a < -50 ? -50 : a > 50 ? 50 : a;
    printf("%d %d %u %u %d %d\n", a < b ? a : b, a > b ? a : b, x < y ? x : y, x > y ? x : y,
           __builtin_abs(a), clamped);
  }
  return 0;
}
