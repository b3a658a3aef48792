//@ paths: 2
// Reading a table at a symbolic index in bounds does not fork; branching on the value does.
#include <assert.h>
#include <klee/klee.h>

const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
volatile int hits;

int main(void) {
  unsigned i = (unsigned)klee_range(0, 16, "i");
  unsigned char s = squares[i];
  if (s == 121) {
    hits++;
    assert(i == 11);
  }
  volatile unsigned same = s;
  assert(same == i * i);
  return 0;
}
