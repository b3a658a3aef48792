//@ opt: O0 O2
// Programs ask the processor for extensions before they use them; here they take the portable way.
#include <assert.h>
#include <cpuid.h>

int main(void) {
  unsigned a = 1, b = 1, c = 1, d = 1;
  assert(__get_cpuid_max(0, &b) == 0);
  assert(!__get_cpuid(1, &a, &b, &c, &d));
  __cpuid(1, a, b, c, d);
  assert((a | b | c | d) == 0);
  return 0;
}
