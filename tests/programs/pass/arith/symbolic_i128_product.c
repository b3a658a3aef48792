//@ paths: 1
// A 128-bit symbolic product equals its schoolbook halves.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned short a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned __int128 wide = (unsigned __int128)a << 60;
  volatile unsigned long high = (unsigned long)((wide + b) >> 64);
  assert(high == (unsigned long)(a >> 4));
  return 0;
}
