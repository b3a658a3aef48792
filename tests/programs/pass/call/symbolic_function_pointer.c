//@ paths: 3
// A function pointer read at a symbolic index forks over the functions it may be.
#include <assert.h>
#include <klee/klee.h>

static int one(int x) { return x + 1; }
static int two(int x) { return x * 2; }
static int three(int x) { return -x; }

int (*table[])(int) = {one, two, three};

int main(void) {
  unsigned i = (unsigned)klee_range(0, 3, "i");
  volatile int r = table[i](10);
  assert(r == 11 || r == 20 || r == -10);
  return 0;
}
