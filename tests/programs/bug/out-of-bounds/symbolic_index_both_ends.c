//@ paths: 1
// An index that may be too small or too large is bad at both ends, good in between.
#include <assert.h>
#include <klee/klee.h>

char text[16];

int main(void) {
  int i = klee_range(-4, 20, "i");
  text[i] = 'x'; // expect: bug out-of-bounds
  assert(i >= 0 && i < 16);
  return 0;
}
