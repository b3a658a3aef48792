//@ cflags: -DNDEBUG
//@ paths: 1
// klee_assert works without assert.h and when NDEBUG is defined.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assert((x | 1) != 0);
  klee_assert(x / 2 <= 0x7fffffffu);
  return 0;
}
