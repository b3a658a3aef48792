// A number that is equal to zero has a sign that its quotient shows.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 0 && 1 / x < 0)
    abort(); // expect: bug abort
  return 0;
}
