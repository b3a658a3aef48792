//@ replay: no
//@ opt: O0
//@ paths: 1
// klee_is_symbolic: constants and results that no longer depend on an input are not symbolic.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = 5;
  assert(klee_is_symbolic((uintptr_t)x));
  assert(klee_is_symbolic((uintptr_t)(x + y)));
  assert(!klee_is_symbolic((uintptr_t)y));
  assert(!klee_is_symbolic((uintptr_t)(x & 0)));
  x = 9;
  assert(!klee_is_symbolic((uintptr_t)x));
  assert(!klee_is_replay());
  return 0;
}
