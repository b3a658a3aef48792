//@ opt: O0
//@ paths: 3
// A pointer that may be any of three objects forks over them when it is used.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int global = 1;

int main(void) {
  int local = 2, *heap = malloc(sizeof *heap);
  *heap = 3;
  int *table[3] = {&global, &local, heap};
  unsigned i = (unsigned)klee_range(0, 3, "i");
  int *p = table[i];
  *p += 10;
  int sum = global + local + *heap;
  assert(sum == 16);
  assert(*p == (int)i + 11);
  return 0;
}
