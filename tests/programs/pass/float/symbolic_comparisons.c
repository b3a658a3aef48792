//@ paths[O0]: 5
//@ paths[O2]: 4
// Two doubles are in one of four relations.
#include <assert.h>
#include <klee/klee.h>

volatile int sink;

int main(void) {
  double a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a < b)
    sink = 1;
  else if (a > b)
    sink = 2;
  else if (a == b)
    sink = 3;
  else
    assert(a != a || b != b);
  return 0;
}
