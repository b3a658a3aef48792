//@ paths: 1
//@ exit: 3
// With forking switched off, a symbolic function pointer and a symbolic size each get one value, which the path keeps.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static int ten(void) { return 10; }
static int twenty(void) { return 20; }
static int thirty(void) { return 30; }
int (*const volatile table[3])(void) = {ten, twenty, thirty};

int main(void) {
  unsigned i = (unsigned)klee_range(0, 3, "i");
  unsigned n = (unsigned)klee_range(1, 1000, "n");
  klee_set_forking(0);
  int result = table[i]();
  char *p = malloc(n);
  size_t size = klee_get_obj_size(p);
  klee_set_forking(1);
  assert(result == 10 * ((int)i + 1));
  assert(size == n);
  free(p);
  return 0;
}
