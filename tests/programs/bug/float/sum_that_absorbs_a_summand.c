// A sum is equal to one of its summands though the other one is positive.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a >= 1 && a < 1e9f && b >= 1 && b < 1e9f)
    assert(a + b > a); // expect: bug assert
  return 0;
}
