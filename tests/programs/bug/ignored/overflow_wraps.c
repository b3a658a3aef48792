// A signed sum that overflows wraps, once that is ignored.
//@ opt: O0
//@ args: --check overflow --ignore overflow
//@ paths: 1
//@ ignored: 1 0
#include <assert.h>
#include <limits.h>
#include <klee/klee.h>

int main(void) {
  int a;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_assume(a > INT_MAX - 3);
  int sum = a + 3;
  assert(sum < 0);
  assert(sum != INT_MIN + 1); // expect: bug assert
  return 0;
}
