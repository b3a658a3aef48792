// A polynomial is zero at its roots.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 2.5f && x * x - 5 * x + 6 == 0)
    abort(); // expect: bug abort
  return 0;
}
