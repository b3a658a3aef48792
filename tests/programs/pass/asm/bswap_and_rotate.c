//@ native: yes
//@ opt: O0 O2
// Byte swaps and rotations written as inline assembly, as old headers do.
#include <stdio.h>

static unsigned swap32(unsigned x) {
  __asm__("bswap %0" : "=r"(x) : "0"(x));
  return x;
}

static unsigned long swap64(unsigned long x) {
  __asm__("bswapq %0" : "+r"(x));
  return x;
}

static unsigned short swap16(unsigned short x) {
  __asm__("rorw $8, %w0" : "=r"(x) : "0"(x) : "cc");
  return x;
}

static unsigned rotate(unsigned x) {
  __asm__("roll $5, %0" : "+r"(x) : : "cc");
  return x;
}

volatile unsigned long v = 0x0102030405060708UL;

int main(void) {
  printf("%x %lx %x %x\n", swap32((unsigned)v), swap64(v), swap16((unsigned short)v),
         rotate((unsigned)v | 0x80000000u));
  return 0;
}
