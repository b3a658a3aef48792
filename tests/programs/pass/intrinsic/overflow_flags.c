//@ native: yes
// Add, subtract and multiply with an overflow flag, signed and unsigned, 8 to 128 bits.
#include <stdint.h>
#include <stdio.h>

volatile long as[] = {100, -100, 127, -128, 30000, 0x7fffffff, 0x7fffffffffffffff};
volatile long bs[] = {27, 28, -1, -1, 3, 1, 2};

#define EXERCISE(type)                                                            \
  do {                                                                            \
    unsigned flags = 0;                                                           \
    unsigned long sum = 0;                                                        \
    for (int i = 0; i < 7; i++) {                                                 \
      type a = (type)as[i], b = (type)bs[i], r;                                   \
      flags = flags << 3 | (unsigned)__builtin_add_overflow(a, b, &r) << 2;       \
      sum = sum * 31 + (unsigned long)r;                                          \
      flags |= (unsigned)__builtin_sub_overflow(a, b, &r) << 1;                   \
      sum = sum * 31 + (unsigned long)r;                                          \
      flags |= (unsigned)__builtin_mul_overflow(a, b, &r);                        \
      sum = sum * 31 + (unsigned long)r;                                          \
    }                                                                             \
    printf("%x %lx\n", flags, sum);                                               \
  } while (0)

int main(void) {
  EXERCISE(int8_t);
  EXERCISE(uint8_t);
  EXERCISE(int16_t);
  EXERCISE(uint16_t);
  EXERCISE(int32_t);
  EXERCISE(uint32_t);
  EXERCISE(int64_t);
  EXERCISE(uint64_t);
  EXERCISE(__int128);
  return 0;
}
