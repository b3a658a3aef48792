/* A symbolic key is looked up in a hash table whose number of buckets is a power of two.
 *
 * HASH is the function that the table uses: fnv, jenkins, murmur3 or siphash. KEY is the size of the key in
 * bytes, BUCKETS the number of buckets, and ENTRIES the number of entries in the table. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "klee/klee.h"

#ifndef HASH
#define HASH fnv
#endif
#ifndef KEY
#define KEY 4
#endif
#ifndef BUCKETS
#define BUCKETS 256
#endif
#ifndef ENTRIES
#define ENTRIES 0
#endif

static inline uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }
static inline uint32_t rotate32(uint32_t x, int by) { return x << by | x >> (32 - by); }

/* FNV-1a, 32 bits. */
__attribute__((unused)) static uint64_t fnv(const unsigned char *key, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ key[i]) * 16777619u;
  return hash;
}

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

/* MurmurHash3, 32 bits. */
__attribute__((unused)) static uint64_t murmur3(const unsigned char *key, size_t size) {
  uint32_t hash = 0x9747b28c;
  size_t at = 0;
  for (; at + 4 <= size; at += 4) {
    uint32_t k;
    memcpy(&k, key + at, 4);
    k *= 0xcc9e2d51;
    k = rotate32(k, 15) * 0x1b873593;
    hash = rotate32(hash ^ k, 13) * 5 + 0xe6546b64;
  }
  uint32_t rest = 0;
  for (size_t i = size; i > at; i--)
    rest = rest << 8 | key[i - 1];
  rest *= 0xcc9e2d51;
  hash ^= rotate32(rest, 15) * 0x1b873593;
  hash ^= size;
  hash = (hash ^ hash >> 16) * 0x85ebca6b;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35;
  return hash ^ hash >> 16;
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

struct entry {
  struct entry *next;
  unsigned char key[KEY];
};

static struct entry *buckets[BUCKETS];

int main(void) {
  uint64_t noise = 1;
  for (int i = 0; i < ENTRIES; i++) {
    struct entry *entry = malloc(sizeof *entry);
    for (int byte = 0; byte < KEY; byte++) {
      noise = noise * 6364136223846793005u + 1442695040888963407u;
      entry->key[byte] = noise >> 56;
    }
    struct entry **bucket = &buckets[HASH(entry->key, KEY) % BUCKETS];
    entry->next = *bucket;
    *bucket = entry;
  }
  unsigned char key[KEY];
  klee_make_symbolic(key, sizeof key, "key");
  const struct entry *entry = buckets[HASH(key, KEY) % BUCKETS];
  while (entry != NULL && memcmp(entry->key, key, KEY) != 0)
    entry = entry->next;
  printf(entry == NULL ? "missing\n" : "found\n");
  return 0;
}
