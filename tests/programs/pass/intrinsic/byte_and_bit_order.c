//@ native: yes
// Byte swaps of 16, 32 and 64 bits, and bit reversal of every width.
#include <stdio.h>

volatile unsigned long v = 0x0123456789abcdefUL;

static unsigned long reverse(unsigned long x, int n) {
  unsigned long r = 0;
  for (int i = 0; i < n; i++)
    r |= (x >> i & 1) << (n - 1 - i);
  return r;
}

#if defined(__clang__)
#define REVERSE(width, x) __builtin_bitreverse##width(x)
#else
#define REVERSE(width, x) reverse((x), width)
#endif

int main(void) {
  printf("%x %x %lx\n", __builtin_bswap16((unsigned short)v), __builtin_bswap32((unsigned)v),
         (unsigned long)__builtin_bswap64(v));
  printf("%lx %lx\n", (unsigned long)REVERSE(8, (unsigned char)v), reverse(v & 0xff, 8));
  printf("%lx %lx\n", (unsigned long)REVERSE(16, (unsigned short)v), reverse(v & 0xffff, 16));
  printf("%lx %lx\n", (unsigned long)REVERSE(32, (unsigned)v), reverse(v & 0xffffffff, 32));
  printf("%lx %lx\n", (unsigned long)REVERSE(64, v), reverse(v, 64));
  return 0;
}
