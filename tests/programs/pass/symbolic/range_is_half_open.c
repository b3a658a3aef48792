//@ paths: 2
// klee_range(-3, 4) takes both ends of [-3, 3] and nothing else.
#include <assert.h>
#include <klee/klee.h>

volatile int edge;

int main(void) {
  int x = klee_range(-3, 4, "x");
  assert(x >= -3 && x <= 3);
  if (x * x == 9)
    edge++;
  return 0;
}
