//@ native: yes
// All atomic read-modify-write operations on 8, 16, 32 and 64 bits return the old or new value.
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type)                                                               \
  do {                                                                               \
    type v = (type)0xc5;                                                             \
    unsigned long r = 0;                                                             \
    r = r * 31 + __atomic_fetch_add(&v, 7, __ATOMIC_SEQ_CST);                        \
    r = r * 31 + __atomic_fetch_sub(&v, 3, __ATOMIC_RELAXED);                        \
    r = r * 31 + __atomic_fetch_and(&v, (type)0xf3, __ATOMIC_ACQUIRE);               \
    r = r * 31 + __atomic_fetch_or(&v, 8, __ATOMIC_RELEASE);                         \
    r = r * 31 + __atomic_fetch_xor(&v, 0x55, __ATOMIC_ACQ_REL);                     \
    r = r * 31 + __atomic_fetch_nand(&v, 0x3c, __ATOMIC_SEQ_CST);                    \
    r = r * 31 + __atomic_add_fetch(&v, 9, __ATOMIC_SEQ_CST);                        \
    r = r * 31 + __atomic_exchange_n(&v, (type)1234, __ATOMIC_SEQ_CST);              \
    printf("%lx %lx\n", r, (unsigned long)__atomic_load_n(&v, __ATOMIC_SEQ_CST));    \
  } while (0)

int main(void) {
  EXERCISE(uint8_t);
  EXERCISE(uint16_t);
  EXERCISE(uint32_t);
  EXERCISE(uint64_t);
  return 0;
}
