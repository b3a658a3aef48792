//@ paths: 1
// Only the path that calls it ends.
#include <klee/klee.h>

void nowhere_defined(void);

int main(void) {
  if (klee_int("x") == 9)
    nowhere_defined(); // expect: bug undefined-function
  return 0;
}
