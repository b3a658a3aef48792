//@ native: yes
//@ opt: O0 O1 O2 O3
// Add, subtract, multiply, divide, remainder and bit operations on i8, i16, i32 and i64, signed.
#include <stdio.h>

#define EXERCISE(type)                                                         \
  do {                                                                         \
    volatile type a = (type)-57, b = 12;                                       \
    printf("%zu: %ld %ld %ld %ld %ld", sizeof(type), (long)(type)(a + b),      \
           (long)(type)(a - b), (long)(type)(a * 2), (long)(type)(a / b),      \
           (long)(type)(a % b));                                               \
    printf(" %ld %ld %ld %ld %ld\n", (long)(type)(a & b), (long)(type)(a | b), \
           (long)(type)(a ^ b), (long)(type)~a, (long)(type)-a);               \
  } while (0)

int main(void) {
  EXERCISE(signed char);
  EXERCISE(short);
  EXERCISE(int);
  EXERCISE(long);
  return 0;
}
