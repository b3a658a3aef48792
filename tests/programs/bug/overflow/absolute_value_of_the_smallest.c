// The smallest number has no absolute value.
//@ args: --check overflow
//@ findings: 3
//@ paths: 1
#include <klee/klee.h>
#include <stdlib.h>

volatile int smallest = -2147483647 - 1;
volatile long sink;

int main(void) {
  int x = klee_int("x");
  long y;
  klee_make_symbolic(&y, sizeof y, "y");
  switch (klee_int("which")) {
  case 0:
    sink = abs(smallest); // expect: bug overflow
    return 1;
  case 1:
    sink = abs(x); // expect: bug overflow
    klee_silent_exit(0);
  case 2:
    sink = labs(y); // expect: bug overflow
    klee_silent_exit(0);
  }
  return 0;
}
