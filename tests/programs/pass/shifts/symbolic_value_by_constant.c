//@ paths: 1
// Shifting a symbolic value up and down clears exactly the bits that left.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile unsigned cleared = x << 5 >> 5, s = (unsigned)((int)(x << 24) >> 24);
  assert(cleared == (x & 0x07ffffffu));
  assert(s == (unsigned)(int)(signed char)x);
  return 0;
}
