//@ paths: 2
// A range check that asks for what it wants lets no NaN through.
#include <klee/klee.h>

int table[12];

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  int inside = x >= 0 & x <= 1;
  if (!inside)
    return 0;
  volatile int index = (int)(x * 10);
  return table[index];
}
