// A fraction that is scaled to an index reaches the end of the table for the fraction 1 alone.
#include <klee/klee.h>

int histogram[16];

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!(x >= 0 && x <= 1))
    return 0;
  histogram[(int)(x * 16)]++; // expect: bug out-of-bounds
  return 0;
}
