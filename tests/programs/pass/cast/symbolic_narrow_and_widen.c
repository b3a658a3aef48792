//@ paths: 1
// Truncation followed by extension equals masking, for every 64-bit value.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile unsigned long narrow = (unsigned short)x;
  volatile long sign = (int)x;
  assert(narrow == (x & 0xffff));
  assert(((unsigned long)sign >> 32 == 0) == !(x & 0x80000000UL));
  return 0;
}
