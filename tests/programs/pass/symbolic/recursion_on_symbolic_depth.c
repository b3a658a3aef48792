//@ opt: O0
//@ paths: 5
// Recursion to a symbolic depth forks once a level.
#include <assert.h>
#include <klee/klee.h>

static unsigned depth(unsigned n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void) {
  unsigned n = (unsigned)klee_range(0, 5, "n");
  unsigned d = depth(n);
  assert(d == n);
  return 0;
}
