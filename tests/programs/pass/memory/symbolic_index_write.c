//@ paths: 1
// A write at a symbolic index changes that element and no other.
#include <assert.h>
#include <klee/klee.h>

unsigned char cells[8];

int main(void) {
  unsigned i = (unsigned)klee_range(0, 8, "i"), j = (unsigned)klee_range(0, 8, "j");
  cells[i] = 5;
  volatile unsigned char seen = cells[j];
  assert((seen == 5) == (i == j));
  cells[3] = 9;
  volatile unsigned char three = cells[3], written = cells[i];
  assert(three == 9);
  assert((written == 9) == (i == 3));
  return 0;
}
