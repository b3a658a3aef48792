// The engine knows the size of what a pointer points to, where the compiler does not.
//@ opt: O0
//@ paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static char table[40];

static void check(char *p, size_t size) {
  assert(__builtin_object_size(p, 0) == size);
  assert(__builtin_object_size(p, 2) == size);
  assert(__builtin_dynamic_object_size(p, 0) == size);
  assert(__builtin_dynamic_object_size(p, 2) == size);
}

int main(void) {
  char local[16], *heap = malloc(100), *none = NULL;
  check(local, 16);
  check(local + 4, 12);
  check(local + 16, 0);
  check(table + 10, 30);
  check(heap + 1, 99);
  /* A null pointer has no known size: as much as possible, or as little. */
  assert(__builtin_dynamic_object_size(none, 0) == (size_t)-1);
  assert(__builtin_dynamic_object_size(none, 2) == 0);
  free(heap);
  assert(__builtin_dynamic_object_size(heap, 0) == (size_t)-1);
  unsigned at = klee_int("at");
  klee_assume(at < 10);
  assert(__builtin_dynamic_object_size(table + at, 0) == 40 - at);
  return 0;
}
