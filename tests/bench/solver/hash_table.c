/* A symbolic key of two bytes is looked up in a hash table.
 *
 * HASH is the function that the table uses: fnv, jenkins, murmur or siphash. The bucket is a remainder, as in
 * tables whose number of buckets is prime, so that each look-up asks which remainders the hash can have. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "klee/klee.h"

#ifndef HASH
#define HASH fnv
#endif

#define BUCKETS 61
#define ENTRIES 24

static inline uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* FNV-1a, 64 bits. */
__attribute__((unused)) static uint64_t fnv(const unsigned char *key, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ key[i]) * 0x100000001b3;
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

/* MurmurHash2, 64 bits, for keys below eight bytes. */
__attribute__((unused)) static uint64_t murmur(const unsigned char *key, size_t size) {
  const uint64_t m = 0xc6a4a7935bd1e995;
  uint64_t hash = 0x9747b28c ^ (size * m);
  for (size_t i = size; i-- > 0;)
    hash ^= (uint64_t)key[i] << (8 * i);
  hash *= m;
  hash ^= hash >> 47;
  hash *= m;
  hash ^= hash >> 47;
  return hash;
}

/* SipHash-2-4 for keys below eight bytes. */
__attribute__((unused)) static uint64_t siphash(const unsigned char *key, size_t size) {
  uint64_t v0 = 0x736f6d6570736575 ^ 0x0706050403020100, v1 = 0x646f72616e646f6d ^ 0x0f0e0d0c0b0a0908;
  uint64_t v2 = 0x6c7967656e657261 ^ 0x0706050403020100, v3 = 0x7465646279746573 ^ 0x0f0e0d0c0b0a0908;
  uint64_t last = (uint64_t)size << 56;
  for (size_t i = 0; i < size; i++)
    last |= (uint64_t)key[i] << (8 * i);
  v3 ^= last;
  for (int round = 0; round < 6; round++) {
    if (round == 2) {
      v0 ^= last;
      v2 ^= 0xff;
    }
    v0 += v1, v1 = rotate(v1, 13) ^ v0, v0 = rotate(v0, 32);
    v2 += v3, v3 = rotate(v3, 16) ^ v2;
    v0 += v3, v3 = rotate(v3, 21) ^ v0;
    v2 += v1, v1 = rotate(v1, 17) ^ v2, v2 = rotate(v2, 32);
  }
  return v0 ^ v1 ^ v2 ^ v3;
}

struct entry {
  unsigned char key[2];
  int value;
  struct entry *next;
};

static struct entry *buckets[BUCKETS];

static void insert(struct entry *entry) {
  struct entry **bucket = &buckets[HASH(entry->key, 2) % BUCKETS];
  entry->next = *bucket;
  *bucket = entry;
}

static const struct entry *find(const unsigned char *key) {
  const struct entry *entry = buckets[HASH(key, 2) % BUCKETS];
  while (entry != NULL && memcmp(entry->key, key, 2) != 0)
    entry = entry->next;
  return entry;
}

int main(void) {
  static const char words[] = "getputdelhasaddsublogendrunsetnewoldtopbitlowmaxminsumavgmapzipanyallone";
  static struct entry entries[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) {
    memcpy(entries[i].key, &words[3 * i], 2);
    entries[i].value = 10 * i;
    insert(&entries[i]);
  }
  unsigned char key[2];
  klee_make_symbolic(key, sizeof key, "key");
  const struct entry *entry = find(key);
  if (entry == NULL)
    printf("missing\n");
  else
    printf("value %d\n", entry->value);
  return 0;
}
