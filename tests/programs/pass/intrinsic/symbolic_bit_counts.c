//@ paths: 1
// Bit counts of a symbolic byte equal their definitions, without a fork.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char b;
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned x = b;
  volatile int ones = __builtin_popcount(x);
  int sum = 0;
  for (int i = 0; i < 8; i++)
    sum += x >> i & 1;
  assert(ones == sum);
  volatile int lead = __builtin_clz(x | 1), trail = __builtin_ctz(x | 256);
  assert(lead >= 24 && lead <= 31 && trail <= 8);
  assert((x >> trail & 1) | (trail == 8));
  volatile unsigned swapped = __builtin_bswap32(x);
  assert(swapped == x << 24);
  return 0;
}
