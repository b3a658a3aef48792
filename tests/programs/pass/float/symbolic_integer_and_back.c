//@ paths: 1
// A symbolic integer becomes a number, and an integer again, for all of its values.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(10, 20, "x");
  double d = x;
  volatile int back = (int)(d + 0.5);
  assert(back == x);
  return 0;
}
