// Floating-point addition is not associative.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a >= 1 && a <= 8 && b >= 1 && b <= 8)
    assert((a + b) + 0.1f == a + (b + 0.1f)); // expect: bug assert
  return 0;
}
