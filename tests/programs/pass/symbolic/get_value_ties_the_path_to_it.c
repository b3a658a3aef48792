//@ paths: 1
//@ exit: 3
// The path keeps the value that klee_get_value gives, as a native run does; that there are others is said.
#include <assert.h>
#include <klee/klee.h>

volatile int hits;

int main(void) {
  int x = klee_range(0, 2, "x");
  int value = klee_get_value_i32(x);
  assert(x == value);
  if (x == value)
    hits++;
  return 0;
}
