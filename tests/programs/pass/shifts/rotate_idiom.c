//@ native: yes
//@ opt: O0 O2
// The shift-or rotate idiom, a funnel shift at -O2, including a rotation by zero.
#include <stdio.h>

volatile unsigned word = 0x80000001u;

int main(void) {
  for (volatile unsigned n = 0; n < 32; n += 5) {
    unsigned w = word, k = n;
    printf("%x %x\n", w << (k & 31) | w >> (-k & 31), w >> (k & 31) | w << (-k & 31));
  }
  return 0;
}
