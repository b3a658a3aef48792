//@ paths: 1
//@ exit: 3
//@ cflags: -fno-math-errno
// An instruction that computes a sine gets one value of a symbolic operand. Others would abort: the run does not
// claim to have seen them.
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
  volatile double d = klee_range(0, 3, "y");
  if (sin(d) > 0.5)
    abort();
  return 0;
}
