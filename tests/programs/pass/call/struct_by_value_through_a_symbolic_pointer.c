//@ paths: 2
// A struct passed by value is copied from whichever object the symbolic pointer names.
#include <assert.h>
#include <klee/klee.h>

struct block {
  long cells[8];
};
struct block even = {{0, 2, 4, 6, 8, 10, 12, 14}};
struct block odd = {{1, 3, 5, 7, 9, 11, 13, 15}};
struct block *const blocks[2] = {&even, &odd};
volatile int hits;

__attribute__((noinline)) long third(struct block b) {
  b.cells[0] = 99;
  return b.cells[2];
}

int main(void) {
  unsigned i = (unsigned)klee_range(0, 2, "i");
  long value = third(*blocks[i]);
  if (value == 5)
    hits++;
  assert(value == 4 || value == 5);
  assert(even.cells[0] == 0 && odd.cells[0] == 1);
  return 0;
}
