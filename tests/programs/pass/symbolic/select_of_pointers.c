//@ opt: O2
//@ paths: 1
// A select between elements of one array keeps one path, and the write lands in the right one.
#include <assert.h>
#include <klee/klee.h>

int cells[2] = {10, 20};

int main(void) {
  int x = klee_int("x");
  int *p = x > 0 ? &cells[0] : &cells[1];
  *p += 5;
  volatile int first = cells[0], second = cells[1];
  assert(first + second == 35);
  assert((first == 15) == (x > 0));
  return 0;
}
