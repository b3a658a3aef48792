//@ paths: 1
// The failing combination of two inputs is one pair among 65536.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1);
  klee_assume(b >= a);
  volatile unsigned product = (unsigned)a * b;
  assert(product != 14701); // expect: bug assert
  return 0;
}
