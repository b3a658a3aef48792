//@ native: yes
// printf of floating-point numbers: f, e, g and a, rounding, the special values, long double.
#include "../check.h"
#include <float.h>
#include <math.h>

volatile double half = 0.5, third = 1.0 / 3, large = 1e100, small = 1e-100, nothing = 0.0;

int main(void) {
  printf("[%f] [%.0f] [%.1f] [%.20f]\n", third, third, third, third);
  printf("[%.0f] [%.0f] [%.0f] [%.0f]\n", half, 1.5, 2.5, 3.5);
  printf("[%.2f] [%.2f] [%.2f]\n", 0.125, 0.375, 2.675);
  printf("[%e] [%.0e] [%.3E] [%e]\n", third, third, large, small);
  printf("[%g] [%g] [%g] [%g] [%g] [%G]\n", 100000.0, 1000000.0, 0.0001, 0.00001, third, small);
  printf("[%#g] [%.10g] [%.3g] [%#.0f] [%#.0e]\n", 1.0, third, 1234.5, 1.0, 1.0);
  printf("[%f]\n", large);
  printf("[%.3f] [%10.3f] [%-10.3f] [%010.3f] [%+.3f] [% .3f]\n", third, third, third, -third, third, third);
  printf("[%f] [%f] [%f] [%F] [%e] [%g] [%5f] [%05f]\n", INFINITY, -INFINITY, (double)NAN, INFINITY, INFINITY,
         (double)NAN, INFINITY, INFINITY);
  printf("[%f] [%g] [%.0f]\n", -nothing, -nothing, -0.4);
  printf("[%a] [%a] [%a] [%a] [%.2a] [%A]\n", 1.0, half, third, -nothing, third, 255.5);
  printf("[%a] [%a] [%a]\n", DBL_MAX, DBL_MIN, (double)NAN);
  printf("[%.17g] [%.17g] [%.17g]\n", DBL_MAX, DBL_MIN, DBL_TRUE_MIN);
  printf("[%.50f]\n", 0.1);
  printf("[%Lf] [%.3Le] [%Lg]\n", 0.25L, 123456.0L, 1024.0L);
  printf("[%lf] [%f]\n", 2.5, (double)1.1f);
  return 0;
}
