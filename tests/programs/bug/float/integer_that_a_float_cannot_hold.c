// A float has 24 bits for an integer.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_range(0, 1 << 26, "n");
  volatile float f = (float)n;
  assert((int)f == n); // expect: bug assert
  return 0;
}
