// A leak that is ignored leaves a path that has completed.
//@ opt: O0
//@ args: --check leaks --ignore keep
//@ paths: 1
//@ ignored: 1 0
#include <klee/klee.h>
#include <stdlib.h>

void keep(void) { malloc(3); }
void lose(void) { malloc(5); } // expect: bug leak

int main(void) {
  if (klee_range(0, 2, "which")) lose();
  else keep();
  return 0;
}
