//@ native: yes
// Widening keeps the sign of signed sources and fills with zeros for unsigned ones.
#include <stdio.h>

volatile signed char sc = -2;
volatile unsigned char uc = 254;
volatile short ss = -300;
volatile unsigned u = 0x80000000u;

int main(void) {
  printf("%d %d %ld %ld\n", (int)sc, (int)uc, (long)ss, (long)u);
  printf("%lx %lx %lx\n", (unsigned long)sc, (unsigned long)uc, (unsigned long)(int)u);
  printf("%x %x\n", (unsigned)(unsigned short)sc, (unsigned)(signed char)uc);
  return 0;
}
