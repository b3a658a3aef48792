//@ findings: 1
//@ paths: 1
// A symbolic quotient overflows for one pair of operands.
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  klee_assume(b != 0);
  sink = a / b; // expect: bug overflow
  return 0;
}
