//@ native: yes
//@ opt: O0 O1 O2 O3
// Left, logical right and arithmetic right shifts by every amount below the width.
#include <stdint.h>
#include <stdio.h>

volatile uint64_t pattern = 0x8421f00dcafe4321UL;

#define EXERCISE(utype, stype)                                                \
  do {                                                                        \
    unsigned long sum = 0;                                                    \
    for (volatile unsigned n = 0; n < 8 * sizeof(utype); n++) {               \
      utype u = (utype)pattern;                                               \
      stype s = (stype)u;                                                     \
      sum = sum * 31 + (utype)(u << n);                                       \
      sum = sum * 31 + (utype)(u >> n);                                       \
      sum = sum * 31 + (unsigned long)(long)(stype)(s >> n);                  \
    }                                                                         \
    printf("%lx\n", sum);                                                     \
  } while (0)

int main(void) {
  EXERCISE(uint8_t, int8_t);
  EXERCISE(uint16_t, int16_t);
  EXERCISE(uint32_t, int32_t);
  EXERCISE(uint64_t, int64_t);
  return 0;
}
