//@ opt: O0
//@ native: yes
// Recursion that is deep, and whose stack is small enough.
#include <stdio.h>

static int sum(int n) {
  return n == 0 ? 0 : n % 7 + sum(n - 1);
}

int main(void) {
  printf("%d\n", sum(60000));
  return 0;
}
