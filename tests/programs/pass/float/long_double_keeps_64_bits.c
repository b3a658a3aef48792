//@ native: yes
// x86 long double has a 64-bit mantissa: 2^63 + 1 survives, and 80-bit values are stored and loaded.
#include <stdio.h>

volatile unsigned long big = 0x8000000000000001UL;
long double table[2];

int main(void) {
  long double l = (long double)big;
  table[1] = l + 2;
  printf("%lx\n", (unsigned long)table[1]);
  printf("%lx\n", (unsigned long)(double)table[1]);
  printf("%d %d\n", l > (long double)(double)big, l == table[1] - 2);
  printf("%ld\n", (long)(table[1] / 1000 * -1));
  return 0;
}
