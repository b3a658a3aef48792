//@ native: yes
// Overflow builtins whose operands and result have different types.
#include <stdio.h>

volatile int a = -3;
volatile unsigned b = 5;
volatile long wide = 1L << 32;

int main(void) {
  unsigned u;
  signed char c;
  int n;
  printf("%d ", __builtin_add_overflow(a, b, &u));
  printf("%u ", u);
  printf("%d ", __builtin_mul_overflow(a, b, &u));
  printf("%d ", __builtin_sub_overflow(b, wide, &n));
  printf("%d ", __builtin_mul_overflow(b, 30u, &c));
  printf("%d\n", c);
  return 0;
}
