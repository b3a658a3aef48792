//@ native: yes
//@ opt: O0 O2
// Newton's iteration for a square root converges to the instruction's result.
#include <stdio.h>

volatile double inputs[] = {2.0, 10.0, 12345.678};

int main(void) {
  for (int i = 0; i < 3; i++) {
    double x = inputs[i], r = x;
    for (int k = 0; k < 40; k++)
      r = (r + x / r) / 2;
    printf("%ld %d\n", (long)(r * 1e9), r * r - x < 1e-9);
  }
  return 0;
}
