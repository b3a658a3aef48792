// A long double tells numbers apart that a double does not.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned long n;
  klee_make_symbolic(&n, sizeof n, "n");
  long double wide = n;
  volatile double narrow = (double)wide;
  if (wide > 9007199254740992.0L && narrow == 9007199254740992.0)
    abort(); // expect: bug abort
  return 0;
}
