//@ native: yes
// Bytes written at one width are read at others, also unaligned and across fields.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

unsigned char raw[32];
volatile uint64_t seed = 0x1122334455667788UL;

int main(void) {
  uint64_t s = seed;
  memcpy(raw + 3, &s, 8);
  uint32_t w;
  uint16_t h;
  memcpy(&w, raw + 5, 4);
  memcpy(&h, raw + 10, 2);
  printf("%x %x %x\n", w, h, raw[3]);
  w = 0xaabbccdd;
  memcpy(raw + 9, &w, 4);
  memcpy(&s, raw + 4, 8);
  printf("%lx\n", (unsigned long)s);
  return 0;
}
