//@ native: yes
// Structs of several sizes and long doubles as variable arguments.
#include <stdarg.h>
#include <stdio.h>

struct small { int a, b; };
struct large { long v[5]; };

__attribute__((noinline)) long sum(int n, ...) {
  va_list ap;
  long r = 0;
  va_start(ap, n);
  for (int i = 0; i < n; i++) {
    struct small s = va_arg(ap, struct small);
    long double d = va_arg(ap, long double);
    struct large l = va_arg(ap, struct large);
    int tail = va_arg(ap, int);
    r = r * 7 + s.a - s.b + (long)(d * 4) + l.v[0] + l.v[4] + tail;
  }
  va_end(ap);
  return r;
}

volatile int k = 3;

int main(void) {
  struct small s = {k, 1};
  struct large l = {{1, 2, 3, 4, 50}};
  printf("%ld\n", sum(k, s, 1.25L, l, 9, s, 2.5L, l, 8, s, 3.75L, l, 7));
  return 0;
}
