//@ native: yes
//@ opt: O0 O2
// musttail calls keep their arguments and return through.
#include <stdio.h>

__attribute__((noinline)) int countdown(int n, int acc) {
  if (n == 0)
    return acc;
#if defined(__clang__)
  __attribute__((musttail))
#endif
  return countdown(n - 1, acc + n);
}

volatile int n = 300;

int main(void) {
  printf("%d\n", countdown(n, 0));
  return 0;
}
