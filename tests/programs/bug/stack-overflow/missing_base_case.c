//@ opt: O0
//@ paths: 5
// Recursion that ends for small inputs and never for negative ones.
#include <klee/klee.h>

static int factorial(int n) { volatile char frame[4096]; frame[0] = 0; return n == 0 ? 1 : n * factorial(n - 1); } // expect: bug stack-overflow

int main(void) {
  int n = klee_range(-1, 5, "n");
  return factorial(n) & 1;
}
