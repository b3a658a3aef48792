//@ paths: 1
// The same on one of two paths.
#include <klee/klee.h>

volatile int limit = 100;

int main(void) {
  int x = klee_int("x");
  if (x > 50)
    limit = 10;
  klee_assume(limit == 100); // expect: bug user-error
  return 0;
}
