//@ paths: 2
// Numbers in intervals have a sum in an interval.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (!((a >= 1) & (a <= 2) & (b >= 3) & (b <= 4)))
    return 0;
  assert((a + b >= 4) & (a + b <= 6));
  return 0;
}
