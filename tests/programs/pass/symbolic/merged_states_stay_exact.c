// Open and close of a merge may join paths; whatever they do, values stay those of some path.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  volatile int y;
  klee_open_merge();
  if (x > 100)
    y = 1;
  else
    y = 2;
  klee_close_merge();
  assert((y == 1) == (x > 100));
  klee_merge();
  return 0;
}
