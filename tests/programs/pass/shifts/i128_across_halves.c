//@ native: yes
// 128-bit shifts by amounts below, at and above 64.
#include <stdio.h>

volatile int amounts[] = {0, 1, 63, 64, 65, 100, 127};

int main(void) {
  unsigned __int128 v = (unsigned __int128)0x89abcdef01234567UL << 64 | 0xfedcba9876543210UL;
  for (int i = 0; i < 7; i++) {
    unsigned __int128 l = v << amounts[i], r = v >> amounts[i];
    unsigned __int128 s = (unsigned __int128)((__int128)v >> amounts[i]);
    printf("%lx %lx %lx ", (unsigned long)(l >> 64), (unsigned long)l, (unsigned long)(r >> 64));
    printf("%lx %lx %lx\n", (unsigned long)r, (unsigned long)(s >> 64), (unsigned long)s);
  }
  return 0;
}
