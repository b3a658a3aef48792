/* Reader of .ktest files.
 *
 * All integers are 32 bits, big-endian: "KTEST", version, argument count, each argument as length
 * and bytes, (from version 2) two sizes of the symbolic argv, object count, each object as name
 * length, name, size, bytes. A count is believed only as far as the file has bytes for it. */
#include "ktest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST_VERSION = 3 };

struct cursor {
  const unsigned char *next;
  size_t left;
  int truncated;
};

static const unsigned char *take(struct cursor *c, size_t n) {
  if (n > c->left) {
    c->truncated = 1;
    return NULL;
  }
  const unsigned char *start = c->next;
  c->next += n;
  c->left -= n;
  return start;
}

static uint32_t take_u32(struct cursor *c) {
  const unsigned char *b = take(c, 4);
  if (!b)
    return 0;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* A length and that many bytes, copied and followed by a zero byte. */
static char *take_block(struct cursor *c, uint32_t *size) {
  *size = take_u32(c);
  const unsigned char *bytes = take(c, *size);
  char *copy = bytes ? malloc((size_t)*size + 1) : NULL;
  if (copy) {
    memcpy(copy, bytes, *size);
    copy[*size] = 0;
  }
  return copy;
}

/* Room for count elements of which each needs at least min_bytes of the file. */
static void *take_table(struct cursor *c, uint32_t count, size_t min_bytes, size_t element_size) {
  if (count > c->left / min_bytes) {
    c->truncated = 1;
    return NULL;
  }
  return calloc((size_t)count + 1, element_size);
}

static const char *parse(struct cursor *c, struct ktest *out) {
  const unsigned char *magic = take(c, 5);
  if (!magic || (memcmp(magic, "KTEST", 5) != 0 && memcmp(magic, "BOUT\n", 5) != 0))
    return "is not a .ktest file";
  uint32_t version = take_u32(c), ignored;
  if (version > NEWEST_VERSION)
    return "has a .ktest version newer than 3";
  out->arg_count = take_u32(c);
  out->args = take_table(c, out->arg_count, 4, sizeof *out->args);
  for (uint32_t i = 0; out->args && i < out->arg_count; i++)
    out->args[i] = take_block(c, &ignored);
  if (version >= 2)
    take(c, 8);
  out->object_count = take_u32(c);
  out->objects = take_table(c, out->object_count, 8, sizeof *out->objects);
  for (uint32_t i = 0; out->objects && i < out->object_count; i++) {
    out->objects[i].name = take_block(c, &ignored);
    out->objects[i].bytes = (unsigned char *)take_block(c, &out->objects[i].size);
  }
  return c->truncated ? "is truncated" : NULL;
}

static unsigned char *read_whole_file(FILE *file, size_t *size) {
  size_t capacity = 4096, used = 0, n;
  unsigned char *data = malloc(capacity);
  while (data && (n = fread(data + used, 1, capacity - used, file)) > 0) {
    used += n;
    if (used == capacity) {
      unsigned char *larger = realloc(data, capacity *= 2);
      if (!larger)
        free(data);
      data = larger;
    }
  }
  *size = used;
  return data;
}

const char *ktest_read(const char *path, struct ktest *out) {
  memset(out, 0, sizeof *out);
  FILE *file = fopen(path, "rb");
  if (!file)
    return "cannot be opened";
  struct cursor c = {NULL, 0, 0};
  unsigned char *data = read_whole_file(file, &c.left);
  int failed = ferror(file);
  fclose(file);
  if (!data || failed) {
    free(data);
    return "cannot be read";
  }
  c.next = data;
  const char *problem = parse(&c, out);
  free(data);
  return problem;
}
