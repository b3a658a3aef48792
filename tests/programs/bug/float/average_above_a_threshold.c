// The average of three integers is between two thresholds.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int a = klee_range(0, 100, "a"), b = klee_range(0, 100, "b"), c = klee_range(0, 100, "c");
  double average = (a + b + c) / 3.0;
  if (average > 2.5 && average < 2.9)
    abort(); // expect: bug abort
  return 0;
}
