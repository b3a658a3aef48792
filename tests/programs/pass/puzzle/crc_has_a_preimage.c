//@ opt: O0 O2
//@ paths: 2
// A CRC-8 over three symbolic bytes can be given any value: both sides of the check are feasible.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  unsigned char b[3];
  klee_make_symbolic(b, sizeof b, "b");
  unsigned crc = 0;
  for (int i = 0; i < 3; i++) {
    crc ^= b[i];
    for (int k = 0; k < 8; k++)
      crc = (crc << 1 & 0xff) ^ (0x07 & (0 - (crc >> 7 & 1)));
  }
  if (crc == 0x5a)
    hits++;
  return 0;
}
