//@ native: yes
// The lock-prefixed increment, exchange-add and compare-exchange of old libraries.
#include <stdio.h>

static void increment(volatile int *p) { __asm__ volatile("lock; incl %0" : "+m"(*p) : : "cc", "memory"); }

static int fetch_add(volatile int *p, int n) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "cc", "memory");
  return n;
}

static int compare_exchange(volatile int *p, int old, int fresh) {
  int previous;
  __asm__ volatile("lock; cmpxchgl %2, %1"
                   : "=a"(previous), "+m"(*p)
                   : "r"(fresh), "0"(old)
                   : "cc", "memory");
  return previous;
}

static int exchange(volatile int *p, int n) {
  __asm__ volatile("xchgl %0, %1" : "+r"(n), "+m"(*p) : : "memory");
  return n;
}

volatile int cell = 10;

int main(void) {
  increment(&cell);
  int before = fetch_add(&cell, 5);
  int same = compare_exchange(&cell, 16, 20), differs = compare_exchange(&cell, 16, 30);
  int swapped = exchange(&cell, 99);
  printf("%d %d %d %d %d\n", before, same, differs, swapped, cell);
  return 0;
}
