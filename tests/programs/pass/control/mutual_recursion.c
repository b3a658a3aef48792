//@ native: yes
// Mutual and deep recursion, each call with its own frame.
#include <stdio.h>

__attribute__((noinline)) int odd(int n);
__attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }

__attribute__((noinline)) int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

volatile int depth = 501;

int main(void) {
  printf("%d %d %d\n", even(depth), odd(depth), ackermann(2, 5));
  return 0;
}
