//@ paths: 4
// klee_choose(4) makes no fork itself; comparing its result does.
#include <assert.h>
#include <klee/klee.h>

volatile int a, b, c;

int main(void) {
  uintptr_t n = klee_choose(4);
  assert(n < 4);
  if (n == 0)
    a++;
  if (n == 1)
    b += 2, b++;
  if (n == 2)
    c += 3, c++, c++;
  return 0;
}
