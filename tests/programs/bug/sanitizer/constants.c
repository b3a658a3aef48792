//@ cflags: -fsanitize=undefined -Wno-integer-overflow -Wno-division-by-zero -Wno-shift-count-overflow -Wno-shift-count-negative
// Operations on constants, which clang computes itself: their checks are left.
#include <klee/klee.h>
#include <limits.h>

volatile int result;

int main(void) {
  switch (klee_range(0, 5, "which")) {
  case 0:
    result = INT_MAX + 1; // expect: bug overflow
    // expect: message contains "2147483647 + 1"
    break;
  case 1:
    result = 1 / 0; // expect: bug divide-by-zero
    break;
  case 2:
    result = 1 << 32; // expect: bug overshift
    break;
  case 3:
    result = INT_MIN / -1; // expect: bug overflow
    break;
  case 4:
    result = 1 << -1; // expect: bug overshift
    break;
  }
  return 0;
}
