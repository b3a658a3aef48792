//@ native: yes
// 128-bit addition, subtraction and multiplication carry across the 64-bit halves.
#include <stdio.h>

typedef unsigned __int128 u128;

static void show(u128 v) { printf("%016lx%016lx\n", (unsigned long)(v >> 64), (unsigned long)v); }

volatile unsigned long low = 0xffffffffffffffffUL, high = 0x0123456789abcdefUL;

int main(void) {
  u128 a = (u128)high << 64 | low, b = low;
  show(a + 1);
  show(a + b);
  show(b - a);
  show(a * b);
  show(b * b);
  show(~a);
  show(-a);
  show((u128)(__int128)(long)low);
  return 0;
}
