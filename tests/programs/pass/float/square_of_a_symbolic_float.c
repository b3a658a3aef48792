//@ paths: 1
//@ exit: 3
// A float of symbolic bytes gets one value where it is multiplied; 2.5 is another one, which the run does not see.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * x == 6.25f)
    abort();
  return 0;
}
