//@ paths: 1
// Three equations in three unknowns have one solution in range.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 100, "x"), y = klee_range(0, 100, "y"), z = klee_range(0, 100, "z");
  klee_assume(x + y + z == 57);
  klee_assume(2 * x - y == 13);
  klee_assume(x + 3 * z == 74);
  volatile int code = x * 10000 + y * 100 + z;
  assert(code == 172119);
  return 0;
}
