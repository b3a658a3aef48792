//@ paths: 1
//@ exit: 3
// A symbolic integer that becomes a float is concretised to a value of its path, and runs on. That its other
// values are left out is said.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(10, 20, "x");
  double d = x;
  volatile int back = (int)(d + 0.5);
  assert(back >= 10 && back < 20);
  return 0;
}
