// Checks of arithmetic that the compiler was asked for. Each needs a certain input.
//@ cflags: -fsanitize=undefined,float-divide-by-zero,unsigned-integer-overflow,implicit-conversion,nullability -fno-sanitize=function,vptr
//@ findings: 16
#include <klee/klee.h>

volatile long sink;
volatile double zero = 0, huge = 1e30;

int main(void) {
  int x = klee_int("x");
  unsigned u = (unsigned)x;
  __int128 wide = (__int128)x * ((__int128)1 << 96);
  switch (klee_range(0, 15, "which")) {
  case 0:
    sink = x + 5; // expect: bug overflow
    break;
  case 1:
    sink = x - 5; // expect: bug overflow
    break;
  case 2:
    sink = x * 3; // expect: bug overflow
    break;
  case 3:
    sink = -x; // expect: bug overflow
    // expect: message contains "cannot be represented in type 'int'; cast to an unsigned type to negate this value"
    break;
  case 4:
    sink = 7 / x; // expect: bug divide-by-zero
    break;
  case 5:
    if (x < -5)
      sink = x / (short)-1; // expect: bug overflow
    break;
  case 6:
    if (x > 0)
      sink = 1L << x; // expect: bug overshift, overflow
    // expect: message contains "is too large for 64-bit type 'long'"
    break;
  case 7:
    if (x < 64)
      sink = 1L << x; // expect: bug overshift, overflow
    break;
  case 8:
    sink = u + 5; // expect: bug unsigned-overflow
    break;
  case 9:
    wide += wide; // expect: bug overflow
    sink = wide != 0;
    break;
  case 10:
    sink = __builtin_ctz(u); // expect: bug overflow
    // expect: message contains "passing zero to ctz(), which is not a valid argument"
    break;
  case 11:
    sink = 1 / zero > 1; // expect: bug divide-by-zero
    break;
  case 12:
    sink = (int)huge; // expect: bug float-cast
    // expect: message contains "1e+30 is outside the range of representable values of type 'int'"
    break;
  case 13: {
    unsigned char byte = x; // expect: bug narrowing
    sink = byte;
    break;
  }
  }
  return 0;
}
