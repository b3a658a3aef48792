//@ native: yes
// __float128 addition and conversion keep 113 bits.
#include <stdio.h>
#include <string.h>

volatile double big = 1152921504606846976.0, small = 0.125;

int main(void) {
  __float128 q = (__float128)big * 1024 + small;
  unsigned long words[2];
  memcpy(words, &q, sizeof words);
  printf("%lx %lx\n", words[1], words[0]);
  printf("%ld %d\n", (long)((q - (__float128)big * 1024) * 8), q > (__float128)big);
  return 0;
}
