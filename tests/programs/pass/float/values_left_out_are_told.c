//@ paths: 1
//@ exit: 3
// An instruction that computes a sine gets one value of a symbolic operand. Others would abort: the run does not
// claim to have seen them.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  volatile double d = klee_range(0, 3, "y");
  if (__builtin_elementwise_sin(d) > 0.5)
    abort();
  return 0;
}
