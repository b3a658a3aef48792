//@ paths: 1
// A symbolic amount that is known to be small enough raises nothing and does not fork.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 32);
  volatile unsigned bit = 1u << n, back = bit >> n;
  assert(back == 1);
  assert((bit & (bit - 1)) == 0);
  return 0;
}
