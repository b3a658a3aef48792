//@ native: yes
//@ opt: O0 O1 O2 O3
// Unsigned arithmetic of i8, i16, i32 and i64 wraps modulo two to the width.
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type)                                                          \
  do {                                                                          \
    volatile type a = (type)~(type)4, b = 9;                                    \
    printf("%lx %lx %lx %lx %lx\n", (unsigned long)(type)(a + b),               \
           (unsigned long)(type)(b - a), (unsigned long)(type)((uint64_t)a * b), \
           (unsigned long)(type)(a / b), (unsigned long)(type)(a % b));         \
  } while (0)

int main(void) {
  EXERCISE(uint8_t);
  EXERCISE(uint16_t);
  EXERCISE(uint32_t);
  EXERCISE(uint64_t);
  return 0;
}
