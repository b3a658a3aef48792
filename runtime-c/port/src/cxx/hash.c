/* Hash functions of std::hash, bit for bit those of libstdc++, so that tables have the same order. */
#include <stddef.h>
#include <stdint.h>

static uint64_t load(const unsigned char *bytes, size_t count) {
  uint64_t word = 0;
  while (count--)
    word = word << 8 | bytes[count];
  return word;
}

static uint64_t fold(uint64_t x) { return x ^ x >> 47; }

/* std::_Hash_bytes: MurmurHash64A */
size_t _ZSt11_Hash_bytesPKvmm(const void *p, size_t len, size_t seed) {
  const uint64_t factor = 0xc6a4a7935bd1e995;
  const unsigned char *bytes = p;
  uint64_t hash = seed ^ len * factor;
  size_t rest = len;
  for (; rest >= 8; rest -= 8, bytes += 8) {
    hash ^= fold(load(bytes, 8) * factor) * factor;
    hash *= factor;
  }
  if (rest) {
    hash ^= load(bytes, rest);
    hash *= factor;
  }
  return fold(fold(hash) * factor);
}

/* std::_Fnv_hash_bytes: FNV-1a */
size_t _ZSt15_Fnv_hash_bytesPKvmm(const void *p, size_t len, size_t seed) {
  const unsigned char *bytes = p;
  uint64_t hash = seed;
  while (len--)
    hash = (hash ^ *bytes++) * 1099511628211u;
  return hash;
}
