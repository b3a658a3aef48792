//@ native: yes
// Reading another member of a union reinterprets the little-endian bytes.
#include <stdio.h>

union view {
  unsigned long word;
  unsigned char bytes[8];
  unsigned short halves[4];
  double real;
};

volatile double source = 1.5;

int main(void) {
  union view v;
  v.real = source;
  printf("%lx %x %x\n", v.word, v.bytes[7], v.halves[3]);
  v.bytes[0] = 0xab;
  v.halves[2] = 0x1234;
  printf("%lx\n", v.word);
  return 0;
}
