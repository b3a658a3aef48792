//@ paths: 1
// Looking up a table and its inverse gives back every index.
#include <assert.h>
#include <klee/klee.h>

static unsigned char forward[32], backward[32];

int main(void) {
  for (unsigned i = 0; i < 32; i++)
    forward[i] = (unsigned char)(i * 13 + 7 & 31);
  for (unsigned i = 0; i < 32; i++)
    backward[forward[i]] = (unsigned char)i;
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 32);
  volatile unsigned char y = backward[forward[x]];
  assert(y == x);
  return 0;
}
