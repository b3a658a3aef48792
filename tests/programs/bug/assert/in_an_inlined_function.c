//@ opt: O0 O1 O2
// After inlining the finding still names the line inside the inlined function.
#include <assert.h>
#include <klee/klee.h>

static inline int half(int n) {
  assert(n % 2 == 0); // expect: bug assert
  return n / 2;
}

volatile int sink;

int main(void) {
  sink = half(klee_range(0, 10, "n"));
  return 0;
}
