//@ native: yes
//@ opt: O0 O1 O2 O3
// Double addition, subtraction, multiplication, division and negation, bit for bit.
#include <stdio.h>
#include <string.h>

volatile double xs[] = {0.1, -2.5, 1e300, 3.0, -0.0, 5e-324};

static unsigned long bits(double d) {
  unsigned long b;
  memcpy(&b, &d, sizeof b);
  return b;
}

int main(void) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double a = xs[i], b = xs[j];
      printf("%lx %lx %lx ", bits(a + b), bits(a - b), bits(a * b));
      printf("%lx\n", b == 0 ? 0 : bits(a / b));
    }
  printf("%lx\n", bits(-xs[0]));
  return 0;
}
