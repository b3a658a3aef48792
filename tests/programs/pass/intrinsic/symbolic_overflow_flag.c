//@ paths: 2
// The flag of a symbolic overflow builtin divides the inputs exactly.
#include <assert.h>
#include <klee/klee.h>

volatile int overflows;

int main(void) {
  int a = klee_int("a"), r;
  if (__builtin_add_overflow(a, 100, &r)) {
    overflows++;
    assert(a > 2147483547);
  } else {
    assert(r - 100 == a);
  }
  return 0;
}
