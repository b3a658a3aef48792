//@ paths: 2
//@ exit: 3
// With forking off a branch follows one feasible side; switched on again, branches fork.
#include <assert.h>
#include <klee/klee.h>

volatile int hits;

int main(void) {
  unsigned char x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_set_forking(0);
  if (x > 10)
    hits++;
  int side = hits;
  klee_set_forking(1);
  assert((x > 10) == side);
  if (y > 10)
    hits++;
  return 0;
}
