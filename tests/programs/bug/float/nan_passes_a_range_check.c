// A NaN is neither below a range nor above it, and as an index it is the lowest integer.
#include <klee/klee.h>

int table[11];

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 0 || x > 1)
    return 0;
  volatile int index = (int)(x * 10);
  return table[index]; // expect: bug out-of-bounds
}
