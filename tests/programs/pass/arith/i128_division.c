//@ native: yes
// 128-bit quotient and remainder, signed and unsigned.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(u128 v) { printf("%016lx%016lx\n", (unsigned long)(v >> 64), (unsigned long)v); }

volatile unsigned long words[4] = {0xfedcba9876543210UL, 0x0f1e2d3c4b5a6978UL, 0x1234567UL, 3};

int main(void) {
  u128 a = (u128)words[1] << 64 | words[0];
  u128 b = (u128)words[3] << 64 | words[2];
  show(a / b);
  show(a % b);
  show(a / words[2]);
  show((u128)(-(i128)a / (i128)b));
  show((u128)(-(i128)a % (i128)b));
  return 0;
}
