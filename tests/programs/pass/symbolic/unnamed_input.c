//@ paths: 2
// A null name is allowed.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, 0);
  if (x > 5)
    hits++;
  return 0;
}
