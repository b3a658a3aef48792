//@ paths: 1
// The only 16-bit number whose square is 1522756 is 1234.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned short x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile unsigned square = (unsigned)x * x;
  klee_assume(square == 1522756);
  assert(x == 1234);
  return 0;
}
