//@ native: yes
// Locked instructions on memory whose flags are read: bits of tables, counters, exchanges.
#include <stdio.h>

static volatile unsigned long bits[4];
static volatile int counter = 2;

static int set(long at) {
  unsigned char old;
  __asm__ volatile("lock; btsq %2, %1\n\tsetc %0" : "=q"(old), "+m"(*bits) : "r"(at) : "memory", "cc");
  return old;
}
static int clear(long at) {
  long old;
  __asm__ volatile("lock btrq %2, %1\n\tsbbq %0, %0" : "=r"(old), "+m"(*bits) : "r"(at), "0"(0l) : "memory", "cc");
  return (int)old;
}
static int test(long at) {
  int old;
  __asm__ volatile("btq %2, %1" : "=@ccc"(old) : "m"(*bits), "r"(at) : "memory");
  return old;
}

int main(void) {
  int first = set(3), second = set(130), again = set(3);
  printf("%d %d %d %d\n", first, second, again, test(130));
  printf("%lx %lx %lx\n", bits[0], bits[1], bits[2]);
  first = clear(130), second = clear(130);
  printf("%d %d %d\n", first, second, test(3));
  __asm__ volatile("lock btcl $5, %0" : "+m"(*(volatile int *)bits) : : "memory", "cc");
  printf("%lx\n", bits[0]);
  for (int i = 0; i < 4; i++) {
    unsigned char below, zero;
    __asm__ volatile("lock decl %0\n\tsets %1\n\tsete %2" : "+m"(counter), "=q"(below), "=q"(zero) : : "memory", "cc");
    printf("%d %d %d\n", counter, below, zero);
  }
  int carry, value = 5;
  __asm__ volatile("lock addl %2, %0" : "+m"(counter), "=@ccc"(carry) : "r"(5) : "memory");
  printf("%d %d\n", counter, carry);
  __asm__ volatile("xchgl %0, %1\n\tincl %0" : "+r"(value), "+m"(counter) : : "memory", "cc");
  printf("%d %d\n", value, counter);
  return 0;
}
