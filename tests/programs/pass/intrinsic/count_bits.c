//@ native: yes
// popcount, leading and trailing zeros, parity and find-first-set of 32 and 64 bits.
#include <stdio.h>

volatile unsigned long values[] = {1, 0x80, 0xf0f0, 0x80000000, 0xffffffff, 1UL << 63, 0x123456789abcdef0};

int main(void) {
  for (int i = 0; i < 7; i++) {
    unsigned long v = values[i];
    unsigned u = (unsigned)v | 1;
    printf("%d %d ", __builtin_popcount(u), __builtin_popcountl(v));
    printf("%d %d ", __builtin_clz(u), __builtin_clzl(v));
    printf("%d %d ", __builtin_ctz(u << 3 | 1u << 31), __builtin_ctzl(v));
    printf("%d %d\n", __builtin_parityl(v), __builtin_ffsl((long)v));
  }
  return 0;
}
