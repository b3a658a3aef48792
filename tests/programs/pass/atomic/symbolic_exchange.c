//@ paths: 2
// A compare-exchange against a symbolic value forks on success when its flag is branched on.
#include <assert.h>
#include <klee/klee.h>

volatile int won;

int main(void) {
  int cell = klee_int("cell"), expected = 77;
  if (__atomic_compare_exchange_n(&cell, &expected, 78, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    won++;
    assert(cell == 78);
  } else {
    assert(expected == cell && cell != 77);
  }
  return 0;
}
