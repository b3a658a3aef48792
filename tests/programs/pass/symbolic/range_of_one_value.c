//@ paths: 1
// A range with one member is that number, and concrete.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(41, 42, "x");
  assert(x == 41);
  assert(!klee_is_symbolic((uintptr_t)x));
  return 0;
}
