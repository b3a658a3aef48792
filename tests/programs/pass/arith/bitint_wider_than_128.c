//@ native: yes
// Integers of 200 bits: add, multiply, shift and divide.
#include <stdio.h>

typedef unsigned _BitInt(200) wide;

static void show(wide v) {
  for (int i = 3; i >= 0; i--)
    printf("%lx.", (unsigned long)(v >> (64 * i)));
  printf("\n");
}

volatile unsigned long seed = 0x9e3779b97f4a7c15UL;

int main(void) {
  wide a = seed, b = seed;
  for (int i = 0; i < 4; i++)
    a = a * seed + 0x1234567;
  show(a);
  show(a + (b << 136));
  show(a >> 77);
  show(~a ^ b);
  show((a >> 90) / 1000);
  show((a >> 90) % 1000);
  return 0;
}
