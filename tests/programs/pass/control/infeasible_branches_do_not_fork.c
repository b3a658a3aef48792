//@ paths: 2
// Branches implied by earlier ones have one feasible side and make no new path.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  int x = klee_range(0, 100, "x");
  if (x > 50)
    hits++;
  if (x < 0)
    hits += 2;
  if (x > 50)
    hits += 3;
  if (x * 2 > 200)
    hits += 4;
  return 0;
}
