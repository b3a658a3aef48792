//@ findings: 2
//@ paths: 1
// Independent failures on different paths are all found in one run.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 100, "x");
  assert(x != 10); // expect: bug assert
  assert(x != 20); // expect: bug assert
  return 0;
}
