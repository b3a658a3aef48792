//@ paths: 3
// An indirectbr whose address comes from a table at a symbolic index forks over its labels.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  void *labels[] = {&&a, &&b, &&c};
  unsigned i = (unsigned)klee_range(0, 3, "i");
  goto *labels[i];
a:
  hits += 1;
  return 0;
b:
  hits += 2;
  hits++;
  return 0;
c:
  hits += 3;
  hits++;
  hits++;
  return 0;
}
