//@ paths: 1
//@ exit: 3
// Symbolic operands of every format get one value. Others would abort: the run does not claim to have seen them.
// Variables are volatile, or the compiler compares the integers.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_int("x"), y = klee_int("y"), z = klee_int("z");
  volatile float f = (float)x;
  if (f > 100)
    abort();
  volatile double d = (double)y;
  if (d > 100)
    abort();
  volatile long double l = (long double)z;
  if (l > 100)
    abort();
  return 0;
}
