// Where the machine stops there is nothing to go on with: the path ends, and is no finding. Others go on.
//@ opt: O0
//@ args: --ignore null-pointer,divide-by-zero,deny
//@ paths: 0
//@ ignored: 0 3
#include <assert.h>
#include <klee/klee.h>

volatile int zero;
int *volatile nowhere;

void deny(void) { assert(zero); }

int main(void) {
  int which = klee_range(0, 4, "which");
  if (which == 0) return *nowhere;
  if (which == 1) return 7 / zero;
  if (which == 2) deny();
  assert(which != 3); // expect: bug assert
  return 0;
}
