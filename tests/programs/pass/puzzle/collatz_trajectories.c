//@ opt: O0
//@ paths: 8
// Eight starting numbers follow eight different trajectories, and each ends at one.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned n = (unsigned)klee_range(1, 9, "n"), steps = 0;
  while (n != 1) {
    if (n % 2 == 0)
      n /= 2;
    else
      n = 3 * n + 1;
    steps++;
  }
  assert(steps <= 16);
  return 0;
}
