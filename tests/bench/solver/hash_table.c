/* A symbolic key of two bytes is looked up in a hash table.
 *
 * HASH is the function that the table uses: fnv, jenkins, murmur or siphash. The bucket is a remainder, as in
 * tables whose number of buckets is prime, so that each look-up asks which remainders the hash can have. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hashes.h"
#include "klee/klee.h"

#ifndef HASH
#define HASH fnv
#endif

#define BUCKETS 61
#define ENTRIES 24

/* FNV-1a, 64 bits. */
__attribute__((unused)) static uint64_t fnv(const unsigned char *key, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ key[i]) * 0x100000001b3;
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
