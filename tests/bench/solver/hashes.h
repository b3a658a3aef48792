/* Hash functions that hash tables use, on keys of any size. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* Jenkins' one-at-a-time. */
__attribute__((unused)) static uint64_t jenkins(const unsigned char *key, size_t size) {
  uint32_t hash = 0;
  for (size_t i = 0; i < size; i++) {
    hash += key[i];
    hash += hash << 10;
    hash ^= hash >> 6;
  }
  hash += hash << 3;
  hash ^= hash >> 11;
  hash += hash << 15;
  return hash;
}

/* One round of SipHash. */
static void sip_round(uint64_t v[4]) {
  v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
  v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
  v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
  v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
}

/* SipHash-2-4. */
__attribute__((unused)) static uint64_t siphash(const unsigned char *key, size_t size) {
  const uint64_t k0 = 0x0706050403020100, k1 = 0x0f0e0d0c0b0a0908;
  uint64_t v[4] = {0x736f6d6570736575 ^ k0, 0x646f72616e646f6d ^ k1, 0x6c7967656e657261 ^ k0, 0x7465646279746573 ^ k1};
  size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    uint64_t word;
    memcpy(&word, key + at, 8);
    v[3] ^= word;
    sip_round(v), sip_round(v);
    v[0] ^= word;
  }
  uint64_t last = (uint64_t)size << 56;
  for (size_t i = at; i < size; i++)
    last |= (uint64_t)key[i] << (8 * (i - at));
  v[3] ^= last;
  sip_round(v), sip_round(v);
  v[0] ^= last;
  v[2] ^= 0xff;
  sip_round(v), sip_round(v), sip_round(v), sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}
