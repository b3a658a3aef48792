/* A symbolic key is looked up in a hash table whose number of buckets is a power of two.
 *
 * HASH is the function that the table uses: fnv, jenkins, murmur3 or siphash. KEY is the size of the key in
 * bytes, BUCKETS the number of buckets, and ENTRIES the number of entries in the table. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashes.h"
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

static inline uint32_t rotate32(uint32_t x, int by) { return x << by | x >> (32 - by); }

/* FNV-1a, 32 bits. */
__attribute__((unused)) static uint64_t fnv(const unsigned char *key, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ key[i]) * 16777619u;
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
