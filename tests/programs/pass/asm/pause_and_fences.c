//@ native: yes
// Spin-wait hints and memory fences do nothing in one thread.
#include <stdio.h>

volatile int flag = 1;

int main(void) {
  int spins = 0;
  while (spins < 3) {
    __asm__ volatile("pause" ::: "memory");
    spins += flag;
  }
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("lfence" ::: "memory");
  __asm__ volatile("sfence" ::: "memory");
  __asm__ volatile("rep; nop" ::: "memory");
  __asm__ volatile("nop");
  printf("%d\n", spins);
  return 0;
}
