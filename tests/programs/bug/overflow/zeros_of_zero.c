// Zeros of 0 cannot be counted.
//@ args: --check overflow
//@ findings: 4
//@ paths: 1
#include <klee/klee.h>

volatile unsigned zero;
volatile int sink;

int main(void) {
  unsigned x = klee_int("x");
  unsigned long long y;
  klee_make_symbolic(&y, sizeof y, "y");
  switch (klee_int("which")) {
  case 0:
    sink = __builtin_clz(zero); // expect: bug overflow
    // expect: message contains "zeros of a 32-bit 0 are counted"
    return 1;
  case 1:
    sink = __builtin_ctz(zero); // expect: bug overflow
    return 1;
  case 2:
    sink = __builtin_ctz(x); // expect: bug overflow
    klee_silent_exit(0);
  case 3:
    sink = __builtin_clzll(y); // expect: bug overflow
    klee_silent_exit(0);
  case 4:
    /* The compiler may count them always, as long as it does not use the result. */
    sink = zero ? __builtin_ctz(zero) : 32;
    klee_silent_exit(0);
  }
  return 0;
}
