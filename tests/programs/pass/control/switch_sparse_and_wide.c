//@ native: yes
// Sparse cases over 64-bit values, negative ones, and GNU case ranges.
#include <stdio.h>

volatile long inputs[] = {-5000000000L, -1, 0, 99, 1L << 40, 1000, 1500, 2000, 2001};

__attribute__((noinline)) int classify(long n) {
  switch (n) {
  case -5000000000L: return 1;
  case -1: return 2;
  case 99: return 3;
  case 1L << 40: return 4;
  case 1000 ... 2000: return 5;
  default: return 0;
  }
}

int main(void) {
  for (int i = 0; i < 9; i++)
    printf("%d ", classify(inputs[i]));
  printf("\n");
  return 0;
}
