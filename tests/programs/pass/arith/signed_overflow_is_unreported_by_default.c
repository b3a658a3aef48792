//@ paths: 1
// Without --check overflow, signed overflow wraps and is no finding.
#include <assert.h>

volatile int big = 2147483647, one = 1;

int main(void) {
  volatile int sum = big + one;
  assert(sum == -2147483647 - 1);
  return 0;
}
