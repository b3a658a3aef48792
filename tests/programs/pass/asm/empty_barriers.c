//@ native: yes
//@ opt: O0 O2
// Empty inline assembly: a compiler barrier, and a value hidden from the optimiser.
#include <stdio.h>

int main(void) {
  int x = 5;
  long y = 7;
  __asm__ volatile("" ::: "memory");
  __asm__("" : "+r"(x));
  __asm__ volatile("" : "=r"(y) : "0"(y * 2));
  __asm__ volatile("" : : "r"(&x), "m"(x), "i"(3) : "memory", "cc");
  __asm__("" : "+m"(x));
  printf("%d %ld\n", x, y);
  return 0;
}
