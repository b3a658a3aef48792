//@ native: yes
//@ opt: O0 O1 O2 O3
// Division by constants, which the optimiser turns into multiplications and shifts.
#include <stdio.h>

volatile long values[] = {0, 1, 6, 7, 99, 100, -1, -6, -7, -100, 123456789012345L};

int main(void) {
  for (int i = 0; i < 11; i++) {
    long v = values[i];
    unsigned long u = (unsigned long)v;
    printf("%ld %ld %ld %ld %lu %lu %lu\n", v / 7, v % 10, v / 8, v % 16, u / 3, u % 1000, u / 64);
  }
  return 0;
}
