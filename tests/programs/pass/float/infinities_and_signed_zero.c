//@ native: yes
// Division by zero gives infinities, and the sign of zero is kept.
#include <stdio.h>

volatile double zero = 0.0, one = 1.0;

int main(void) {
  double inf = one / zero, ninf = one / -zero;
  printf("%d %d %d\n", inf > 1e308, ninf < -1e308, inf + ninf != inf + ninf);
  printf("%d %d\n", __builtin_signbit(-zero) != 0, __builtin_signbit(zero * -one) != 0);
  printf("%d %d\n", one / inf == 0, __builtin_isfinite(inf) != 0);
  return 0;
}
