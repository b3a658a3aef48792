//@ native: yes
// More integer, float and struct arguments than there are argument registers.
#include <stdio.h>

struct p { long x, y; };

__attribute__((noinline)) long f(int a, long b, struct p c, char d, double e, float g, short h,
                                 struct p i, unsigned char j, double k, long l) {
  return a + b * 2 + c.x * 3 + c.y * 4 + d * 5 + (long)(e * 6) + (long)(g * 7) + h * 8 + i.x * 9 +
         i.y * 10 + j * 11 + (long)(k * 12) + l * 13;
}

volatile int v = 2;

int main(void) {
  struct p p = {v, -v};
  printf("%ld\n", f(v, 3, p, 'c', 1.5, 2.5f, -4, p, 250, 0.25, 1L << 35));
  return 0;
}
