// The square of a float is 6.25 for two floats only.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * x == 6.25f)
    abort(); // expect: bug abort
  return 0;
}
