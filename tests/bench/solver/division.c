/* Products and quotients of 64 bits over one symbolic byte, and over two. */
#include <stdint.h>
#include <stdio.h>

#include "klee/klee.h"

/* Decimal digits of a scaled value, with a check sum as account numbers have it. */
static unsigned check(uint64_t number) {
  unsigned sum = 0;
  for (int digit = 0; digit < 18; digit++) {
    unsigned value = number % 10;
    number /= 10;
    if (digit % 2 == 1) {
      value *= 2;
      value = value / 10 + value % 10;
    }
    sum += value;
  }
  return sum % 10;
}

int main(void) {
  unsigned char bytes[2];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  uint64_t one = (bytes[0] + 1000000007ull) * 998244353ull;
  if (check(one) == 7 && one / 65537 * 3 % 257 < 128)
    printf("one byte\n");
  else
    printf("not one byte\n");
  uint64_t two = one / 1000003 * (bytes[1] + 12345678901ull) % 1000000000000000003ull;
  if (check(two) == 0)
    printf("two bytes\n");
  else if (two % 999983 == 0)
    printf("a multiple\n");
  else
    printf("not two bytes\n");
  return 0;
}
