//@ native: yes
// _Complex values: addition, and a product whose slow path for NaN is never entered.
#include <stdio.h>

volatile double re = 1.5, im = -2.0;

int main(void) {
  _Complex double a = re + im * 1.0i, b = a * a + 3.0;
  printf("%ld %ld\n", (long)(__real__ b * 100), (long)(__imag__ b * 100));
  _Complex float c = (_Complex float)b;
  printf("%d\n", c == (_Complex float)b);
  return 0;
}
