//@ native: yes
//@ opt: O0 O1 O2 O3
// Values that rotate around a loop: all phis of a block read their inputs before any is written.
#include <stdio.h>

volatile int rounds = 10;

int main(void) {
  unsigned a = 1, b = 2, c = 3;
  for (int i = 0; i < rounds; i++) {
    unsigned t = a;
    a = b;
    b = c;
    c = t + (unsigned)i;
  }
  unsigned long x = 0, y = 1;
  for (int i = 0; i < rounds * 5; i++) {
    unsigned long t = x + y;
    x = y;
    y = t;
  }
  printf("%u %u %u %lu %lu\n", a, b, c, x, y);
  return 0;
}
