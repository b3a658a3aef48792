//@ native: yes
// Clamping before a conversion to int: infinities, NaN and out-of-range values.
#include <stdio.h>

volatile double inputs[] = {1e30, -1e30, 12.9, -12.9, 0.0};

static int clamp(double d) {
  return d != d ? 0 : d >= 2147483647.0 ? 2147483647 : d <= -2147483648.0 ? -2147483647 - 1 : (int)d;
}

int main(void) {
  for (int i = 0; i < 5; i++)
    printf("%d\n", clamp(inputs[i]));
  printf("%d\n", clamp((inputs[0] * 1e300 * 0.0)));
  return 0;
}
