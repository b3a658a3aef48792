//@ native: yes
//@ opt: O0 O1 O2 O3
// An optimiser shifts before it knows whether the amount is allowed, and drops the result if not.
#include <stdio.h>

volatile unsigned amount = 1743, value = 65529, on = 1;
volatile int negative = -7;
volatile unsigned char rows[4] = {1, 2, 3, 4};

int main(void) {
  unsigned n = amount, v = value, f = on;
  printf("%u\n", n > 31 ? 7 : v >> n);
  printf("%u\n", n < 32 ? (f ? v << n : v + 1) : v);
  int k = negative;
  printf("%d\n", k < 0 || k >= 32 || (int)v > (2147483647 >> k) ? (int)v : (int)v << k);
  unsigned sum = 0;
  for (int i = 0; i < 4; i++) {
    unsigned row = rows[i];
    if (n < 32)
      sum += row + (v >> n);
    else
      sum += row;
  }
  printf("%u\n", sum);
  return 0;
}
