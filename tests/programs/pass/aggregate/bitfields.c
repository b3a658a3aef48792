//@ native: yes
//@ opt: O0 O1 O2 O3
// Bit-fields: signed and unsigned, straddling, and assignment that leaves the neighbours alone.
#include <stdio.h>

struct fields {
  unsigned a : 3;
  signed b : 5;
  unsigned c : 11;
  unsigned long d : 40;
  unsigned e : 1;
  _Bool f : 1;
};

volatile int v = 13;

int main(void) {
  struct fields s = {0};
  s.a = (unsigned)v & 7;
  s.b = -v;
  s.c = (unsigned)(v * 150) & 0x7ff;
  s.d = (unsigned long)v << 36 & 0xffffffffffUL;
  s.e = 1;
  s.f = v;
  s.a++;
  s.c ^= 0x3ff;
  printf("%u %d %u %lx %u %d %zu\n", s.a, s.b, s.c, (unsigned long)s.d, s.e, s.f, sizeof s);
  return 0;
}
