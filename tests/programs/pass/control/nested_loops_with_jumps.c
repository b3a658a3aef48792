//@ native: yes
// break, continue and goto out of nested loops, and a do-while that runs once.
#include <stdio.h>

volatile int limit = 50;

int main(void) {
  int primes = 0, last = 0;
  for (int n = 2; n < limit; n++) {
    for (int d = 2; d * d <= n; d++)
      if (n % d == 0)
        goto composite;
    primes++;
    last = n;
    continue;
  composite:;
  }
  int once = 0;
  do
    once++;
  while (once > limit);
  printf("%d %d %d\n", primes, last, once);
  return 0;
}
