//@ opt: O0
//@ findings: 1
//@ paths: 0
// An assertion that fails on four paths with the same stack is one finding.
#include <assert.h>
#include <klee/klee.h>

volatile int count;

int main(void) {
  unsigned char b[2];
  klee_make_symbolic(b, sizeof b, "b");
  if (b[0] > 10)
    count++;
  if (b[1] > 10)
    count++;
  assert(count > 5); // expect: bug assert
  return 0;
}
