//@ paths: 1
// klee_get_obj_size of stack, heap and global objects.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

char global[37];

int main(void) {
  char local[12];
  klee_make_symbolic(local, sizeof local, "local");
  char *heap = malloc(50);
  assert(klee_get_obj_size(global) == 37);
  assert(klee_get_obj_size(local) == 12);
  assert(klee_get_obj_size(heap) == 50);
  free(heap);
  return 0;
}
