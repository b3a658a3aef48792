//@ native: yes
//@ args: --check overflow
// Arithmetic at the edge of the range, checked, is no finding.
#include <stdio.h>

volatile int big = 2147483646, low = -2147483647;
volatile unsigned wrap = 4294967295u;

int main(void) {
  big++;
  low--;
  wrap++;
  printf("%d %d %u %d\n", big, low, wrap, big + low);
  return 0;
}
