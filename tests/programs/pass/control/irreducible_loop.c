//@ native: yes
// A loop with two entries, as goto into its middle makes it.
#include <stdio.h>

volatile int entry = 1;

int main(void) {
  int n = 0, sum = 0;
  if (entry)
    goto middle;
top:
  sum += n;
middle:
  n++;
  sum = sum * 2 + 1;
  if (n < 10)
    goto top;
  printf("%d %d\n", n, sum);
  return 0;
}
