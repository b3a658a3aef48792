//@ paths: 2
// For one byte, "negative as signed" and "at least 128 as unsigned" are the same branch.
#include <assert.h>
#include <klee/klee.h>

volatile int negatives;

int main(void) {
  unsigned char b;
  klee_make_symbolic(&b, sizeof b, "b");
  if ((signed char)b < 0)
    negatives++;
  if (b >= 128)
    negatives++;
  assert(negatives != 1);
  return 0;
}
