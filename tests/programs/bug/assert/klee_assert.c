//@ cflags: -DNDEBUG
//@ paths: 1
// klee_assert is an assertion that NDEBUG does not remove.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assert(x != 0xdeadbeefu); // expect: bug assert
  return 0;
}
