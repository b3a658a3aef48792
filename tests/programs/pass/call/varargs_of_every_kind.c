//@ native: yes
// Variable arguments: ints, longs, doubles and pointers, more of each than fit into registers.
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) long total(const char *kinds, ...) {
  va_list ap;
  long sum = 0;
  va_start(ap, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': sum = sum * 3 + va_arg(ap, int); break;
    case 'l': sum = sum * 3 + va_arg(ap, long); break;
    case 'd': sum = sum * 3 + (long)(va_arg(ap, double) * 10); break;
    case 'p': sum = sum * 3 + *va_arg(ap, int *); break;
    }
  va_end(ap);
  return sum;
}

volatile int n = 4;

int main(void) {
  int x = 8;
  printf("%ld\n", total("iiiiiiii", n, 2, 3, 4, 5, 6, 7, -8));
  printf("%ld\n", total("dddddddddd", 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, n * 1.0));
  printf("%ld\n", total("idlpidlp", 1, 2.5, 3L << 33, &x, n, 5.5, 7L, &x));
  return 0;
}
