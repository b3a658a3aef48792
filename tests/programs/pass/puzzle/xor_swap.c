//@ paths: 1
// The exclusive-or swap exchanges any two 64-bit values.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  volatile unsigned long x = a, y = b;
  x = x ^ y;
  y = x ^ y;
  x = x ^ y;
  assert(x == b);
  assert(y == a);
  return 0;
}
