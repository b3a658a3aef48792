//@ native: yes
// _BitInt of widths that are no machine width: wrap, sign, comparison.
#include <stdio.h>

volatile int seed = 61;

int main(void) {
  unsigned _BitInt(7) a = (unsigned _BitInt(7))seed;
  a = a + a + a;
  unsigned _BitInt(37) b = (unsigned _BitInt(37))seed << 31;
  b = b * 5 + 3;
  _BitInt(13) c = (_BitInt(13))(seed * -67);
  c = c / 3 - 1;
  printf("%d %lx %d\n", (int)a, (unsigned long)b, (int)c);
  printf("%d %d %d\n", a < 100, b > 0x100000000UL, c < 0);
  return 0;
}
