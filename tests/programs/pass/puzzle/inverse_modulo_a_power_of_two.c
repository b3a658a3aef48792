//@ paths: 1
// 17 has exactly one inverse modulo 2^16.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned short x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile unsigned short product = (unsigned short)(x * 17u);
  klee_assume(product == 1);
  assert(x == 61681);
  return 0;
}
