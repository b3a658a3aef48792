//@ native: yes
//@ cflags: -mcx16
// Sixteen-byte compare-exchange, as lock-free stacks use it for pointer and counter.
#include <stdio.h>

typedef unsigned __int128 u128;

u128 cell __attribute__((aligned(16)));

int main(void) {
  u128 wanted = (u128)7 << 64 | 9;
  printf("%d\n", __sync_bool_compare_and_swap(&cell, (u128)0, wanted));
  printf("%d\n", __sync_bool_compare_and_swap(&cell, (u128)0, (u128)1));
  printf("%lu %lu\n", (unsigned long)(cell >> 64), (unsigned long)cell);
  return 0;
}
