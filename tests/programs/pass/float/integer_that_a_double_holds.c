//@ paths: 1
// A double has 53 bits for an integer.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_int("n");
  volatile double d = n;
  assert((int)d == n);
  volatile float half = n / 2.0;
  assert(half * 2 == (float)n);
  return 0;
}
