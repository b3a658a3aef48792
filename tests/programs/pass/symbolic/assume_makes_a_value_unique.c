//@ paths: 1
// Constraints that leave one value make every later branch on it one-sided.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_assume(x > 99);
  klee_assume(x < 101);
  int sum = 0;
  for (int i = 0; i < x; i++)
    sum += i;
  assert(sum == 4950);
  return 0;
}
