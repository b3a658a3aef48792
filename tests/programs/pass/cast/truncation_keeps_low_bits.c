//@ native: yes
// Narrowing from i128, i64 and i32 keeps the low bits.
#include <stdio.h>

volatile unsigned long w = 0x1122334455667788UL;

int main(void) {
  unsigned __int128 big = (unsigned __int128)w * w;
  printf("%lx %x %x %x\n", (unsigned long)big, (unsigned)w, (unsigned short)w, (unsigned char)w);
  printf("%d %d\n", (signed char)(w >> 3), (short)(w >> 2));
  return 0;
}
