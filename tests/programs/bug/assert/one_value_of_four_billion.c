//@ paths: 1
// The one input that fails is found, and the rest completes.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  assert(x * 3 + 7 != 370372); // expect: bug assert
  return 0;
}
