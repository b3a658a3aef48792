//@ native: yes
// A va_list copied with va_copy is walked twice, and one is handed to another function.
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) int sum(int n, va_list ap) {
  int r = 0;
  while (n-- > 0)
    r += va_arg(ap, int);
  return r;
}

__attribute__((noinline)) int twice(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  va_copy(again, ap);
  int first = va_arg(ap, int);
  int rest = sum(n - 1, ap);
  int all = sum(n, again);
  va_end(ap);
  va_end(again);
  return all == first + rest ? all : -1;
}

volatile int n = 9;

int main(void) {
  printf("%d\n", twice(n, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  return 0;
}
