//@ args: --check overflow
//@ paths: 1
// Negating the smallest int.
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int x = klee_int("x");
  sink = -x; // expect: bug overflow
  return 0;
}
