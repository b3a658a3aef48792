/* The functions behind the macros of <obstack.h>: objects that grow at the end of a stack of chunks.
 *
 * The structures are those of that header, which also changes them inline. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
  char *limit;
  struct chunk *below;
  char contents[4];
};

struct obstack {
  long chunk_size;
  struct chunk *chunk;
  char *object_base, *next_free, *chunk_limit;
  union {
    long number;
    void *pointer;
  } scratch;
  int alignment_mask;
  /* With an argument more if the caller wants to give one. */
  union {
    void *(*plain)(long);
    void *(*more)(void *, long);
  } allocate;
  union {
    void (*plain)(void *);
    void (*more)(void *, void *);
  } release;
  void *extra;
  unsigned use_extra : 1, maybe_empty : 1, alloc_failed : 1;
};

int obstack_exit_failure = 1;
static _Noreturn void no_memory(void) {
  fputs("memory exhausted\n", stderr);
  exit(obstack_exit_failure);
}
void (*obstack_alloc_failed_handler)(void) = no_memory;

static struct chunk *new_chunk(struct obstack *h, long size) {
  void *made = h->use_extra ? h->allocate.more(h->extra, size) : h->allocate.plain(size);
  if (!made)
    obstack_alloc_failed_handler();
  struct chunk *chunk = made;
  chunk->limit = (char *)chunk + size;
  return chunk;
}
static void drop(struct obstack *h, struct chunk *chunk) {
  if (h->use_extra)
    h->release.more(h->extra, chunk);
  else
    h->release.plain(chunk);
}
static char *aligned(struct obstack *h, struct chunk *chunk) {
  size_t off = -(uintptr_t)chunk->contents & h->alignment_mask;
  return chunk->contents + off;
}

static int begin(struct obstack *h, int size, int alignment) {
  h->alignment_mask = (alignment ? alignment : 16) - 1;
  /* A page without what an allocator may need for itself. */
  h->chunk_size = size ? size : 4064;
  h->chunk = new_chunk(h, h->chunk_size);
  h->chunk->below = NULL;
  h->object_base = h->next_free = aligned(h, h->chunk);
  h->chunk_limit = h->chunk->limit;
  h->maybe_empty = h->alloc_failed = 0;
  return 1;
}
int _obstack_begin(struct obstack *h, int size, int alignment, void *(*allocate)(long), void (*release)(void *)) {
  h->allocate.plain = allocate;
  h->release.plain = release;
  h->use_extra = 0;
  return begin(h, size, alignment);
}
int _obstack_begin_1(struct obstack *h, int size, int alignment, void *(*allocate)(void *, long),
                     void (*release)(void *, void *), void *extra) {
  h->allocate.more = allocate;
  h->release.more = release;
  h->extra = extra;
  h->use_extra = 1;
  return begin(h, size, alignment);
}

/* Moves the object that grows to a chunk with room for `length` more bytes. */
void _obstack_newchunk(struct obstack *h, int length) {
  struct chunk *old = h->chunk;
  long grown = h->next_free - h->object_base;
  long size = grown + length + (grown >> 3) + h->alignment_mask + sizeof *old + 100;
  struct chunk *made = new_chunk(h, size < h->chunk_size ? h->chunk_size : size);
  made->below = old;
  char *base = aligned(h, made);
  memcpy(base, h->object_base, grown);
  /* A chunk that had nothing else is of no more use. */
  if (!h->maybe_empty && h->object_base == aligned(h, old)) {
    made->below = old->below;
    drop(h, old);
  }
  h->chunk = made;
  h->chunk_limit = made->limit;
  h->object_base = base;
  h->next_free = base + grown;
  h->maybe_empty = 0;
}

static int holds(struct chunk *chunk, char *object) { return (char *)chunk < object && object <= chunk->limit; }

int _obstack_allocated_p(struct obstack *h, void *object) {
  struct chunk *chunk = h->chunk;
  while (chunk && !holds(chunk, object))
    chunk = chunk->below;
  return chunk != NULL;
}

/* Frees an object and all that are younger; NULL frees everything. */
void obstack_free(struct obstack *h, void *object) {
  struct chunk *chunk = h->chunk;
  while (chunk && !holds(chunk, object)) {
    struct chunk *below = chunk->below;
    drop(h, chunk);
    chunk = below;
    h->maybe_empty = 1;
  }
  if (!chunk && object)
    abort();
  h->chunk = chunk;
  if (chunk) {
    h->object_base = h->next_free = object;
    h->chunk_limit = chunk->limit;
  }
}
void _obstack_free(struct obstack *h, void *object) { obstack_free(h, object); }

int _obstack_memory_used(struct obstack *h) {
  int used = 0;
  for (struct chunk *chunk = h->chunk; chunk; chunk = chunk->below)
    used += chunk->limit - (char *)chunk;
  return used;
}

int obstack_vprintf(struct obstack *h, const char *format, va_list args) {
  char *text;
  int n = vasprintf(&text, format, args);
  if (n < 0)
    return n;
  if (h->chunk_limit - h->next_free < n)
    _obstack_newchunk(h, n);
  memcpy(h->next_free, text, n);
  h->next_free += n;
  free(text);
  return n;
}
int obstack_printf(struct obstack *h, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = obstack_vprintf(h, format, args);
  va_end(args);
  return n;
}
int __obstack_vprintf_chk(struct obstack *h, int flag, const char *format, va_list args) {
  return obstack_vprintf(h, format, args);
}
int __obstack_printf_chk(struct obstack *h, int flag, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = obstack_vprintf(h, format, args);
  va_end(args);
  return n;
}
