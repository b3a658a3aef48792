//@ native: yes
// All ten integer comparisons at the edges of the signed and unsigned ranges.
#include <stdio.h>

volatile int values[] = {0, 1, -1, 2147483647, -2147483647 - 1};

int main(void) {
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      int a = values[i], b = values[j];
      unsigned x = (unsigned)a, y = (unsigned)b;
      printf("%d%d%d%d%d%d ", a == b, a != b, a < b, a <= b, a > b, a >= b);
      printf("%d%d%d%d\n", x < y, x <= y, x > y, x >= y);
    }
  return 0;
}
