//@ native: yes
// Objects that grow at the end of a stack of chunks: the functions behind <obstack.h>.
#include "../check.h"
#include <stdarg.h>
struct chunk;
struct obstack {
  long chunk_size;
  struct chunk *chunk;
  char *object_base, *next_free, *chunk_limit;
  long temp;
  int alignment_mask;
  void *chunkfun, *freefun, *extra;
  unsigned flags;
};
int _obstack_begin(struct obstack *, int, int, void *(*)(long), void (*)(void *));
void _obstack_newchunk(struct obstack *, int);
void obstack_free(struct obstack *, void *);
int _obstack_allocated_p(struct obstack *, void *);
int obstack_printf(struct obstack *, const char *, ...);

static int chunks;
static void *allocate(long n) {
  chunks++;
  return malloc(n);
}
static void release(void *chunk) {
  chunks--;
  free(chunk);
}

static void grow(struct obstack *h, const char *text, int n) {
  if (h->chunk_limit - h->next_free < n)
    _obstack_newchunk(h, n);
  memcpy(h->next_free, text, n);
  h->next_free += n;
}
static char *finish(struct obstack *h) {
  char *object = h->object_base;
  h->next_free = (char *)(((long)h->next_free + h->alignment_mask) & ~(long)h->alignment_mask);
  if (h->next_free > h->chunk_limit)
    h->next_free = h->chunk_limit;
  h->object_base = h->next_free;
  return object;
}

int main(void) {
  struct obstack h;
  NUM(_obstack_begin(&h, 128, 0, allocate, release));
  grow(&h, "first", 6);
  char *first = finish(&h);
  char *objects[20];
  for (int i = 0; i < 20; i++) {
    for (int j = 0; j <= i; j++)
      grow(&h, "abcdefgh", 8);
    grow(&h, "", 1);
    objects[i] = finish(&h);
  }
  IS(chunks > 3 && strlen(objects[19]) == 160 && !strcmp(first, "first"));
  NUM(obstack_printf(&h, "%d and %s", 42, "more"));
  grow(&h, "", 1);
  puts(finish(&h));
  IS(_obstack_allocated_p(&h, objects[10]) && !_obstack_allocated_p(&h, &h));
  obstack_free(&h, objects[0]);
  IS(chunks == 1 && !strcmp(first, "first"));
  obstack_free(&h, 0);
  NUM(chunks);
  return 0;
}
