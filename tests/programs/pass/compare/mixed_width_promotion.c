//@ native: yes
// Comparing operands of different width and sign follows the usual conversions.
#include <stdio.h>

volatile signed char c = -1;
volatile unsigned short us = 65535;
volatile unsigned u = 4294967295u;
volatile long l = -1;

int main(void) {
  printf("%d %d %d %d\n", c == us, (unsigned)c == u, c < us, l < (long)u);
  printf("%d %d %d\n", c < 0, us > c, (unsigned short)c == us);
  return 0;
}
