//@ paths: 4
// Making an object symbolic again gives it fresh values; constraints on the old ones stay with them.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 10)
    hits++;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 10)
    hits++;
  return 0;
}
