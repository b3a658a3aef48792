/* Instructions on bits of words: SSE4.2's checksum, BMI, products without carries, random numbers. */
#define _GNU_SOURCE
#include "vectors.h"
#include <sys/random.h>
#include <time.h>

/* CRC-32C, least bits first. */
static uint32_t crc(uint32_t sum, uint64_t value, int bits) {
  EACH(i, 64) {
    if (i >= bits)
      break;
    uint32_t low = (sum ^ (uint32_t)(value >> i)) & 1;
    sum = sum >> 1 ^ (0x82f63b78 & -low);
  }
  return sum;
}
uint32_t X86(sse42_crc32_32_8)(uint32_t sum, uint8_t value) { return crc(sum, value, 8); }
uint32_t X86(sse42_crc32_32_16)(uint32_t sum, uint16_t value) { return crc(sum, value, 16); }
uint32_t X86(sse42_crc32_32_32)(uint32_t sum, uint32_t value) { return crc(sum, value, 32); }
uint64_t X86(sse42_crc32_64_64)(uint64_t sum, uint64_t value) { return crc(sum, value, 64); }

#define WORD(bits, type)                                                              \
  type X86(bmi_bextr_##bits)(type value, type control) {                              \
    unsigned from = control & 255, length = control >> 8 & 255;                       \
    type low = from >= bits ? 0 : value >> (from & (bits - 1));                       \
    return length >= bits ? low : low & (((type)1 << (length & (bits - 1))) - 1);     \
  }                                                                                   \
  type X86(bmi_bzhi_##bits)(type value, type count) {                                 \
    unsigned n = count & 255;                                                         \
    return n >= bits ? value : value & (((type)1 << (n & (bits - 1))) - 1);           \
  }                                                                                   \
  type X86(bmi_pdep_##bits)(type value, type mask) {                                  \
    type spread = 0;                                                                  \
    for (int i = 0; i < bits; i++) {                                                  \
      type chosen = mask >> i & 1;                                                    \
      spread |= (value & chosen) << i;                                                \
      value >>= chosen;                                                               \
    }                                                                                 \
    return spread;                                                                    \
  }                                                                                   \
  type X86(bmi_pext_##bits)(type value, type mask) {                                  \
    type packed = 0;                                                                  \
    unsigned at = 0;                                                                  \
    for (int i = 0; i < bits; i++) {                                                  \
      type chosen = mask >> i & 1;                                                    \
      packed |= (value >> i & chosen) << (at & (bits - 1));                           \
      at += chosen;                                                                   \
    }                                                                                 \
    return packed;                                                                    \
  }
WORD(32, uint32_t)
WORD(64, uint64_t)

U2 X86(pclmulqdq)(U2 a, U2 b, char choice) {
  uint64_t x = choice & 1 ? a[1] : a[0], y = choice & 16 ? b[1] : b[0], low = 0, high = 0;
  for (int i = 0; i < 64; i++) {
    uint64_t take = -(y >> i & 1);
    low ^= (x << i) & take;
    high ^= (i ? x >> (64 - i) : 0) & take;
  }
  return (U2){low, high};
}

/* The counter of cycles tells the time of the monotonic clock in nanoseconds. */
uint64_t __everett_x86_rdtsc(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}
uint64_t __everett_readcyclecounter(void) { return __everett_x86_rdtsc(); }
struct cycles {
  uint64_t count;
  uint32_t processor;
};
struct cycles X86(rdtscp)(void) { return (struct cycles){__everett_x86_rdtsc(), 0}; }

struct drawn {
  uint64_t value;
  uint32_t succeeded;
};
static struct drawn draw(void) {
  uint64_t value = 0;
  uint32_t succeeded = getrandom(&value, sizeof value, 0) == sizeof value;
  return (struct drawn){value, succeeded};
}
struct drawn X86(rdrand_64)(void) { return draw(); }
struct drawn X86(rdseed_64)(void) { return draw(); }
