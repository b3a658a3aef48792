//@ opt: O0
//@ paths: 3
// A switch that is declared complete and is not.
#include <klee/klee.h>

static int value(int n) {
  switch (n) {
  case 0: return 10;
  case 1: return 20;
  case 2: return 30;
  }
  __builtin_unreachable(); // expect: bug unreachable
}

int main(void) { return value(klee_range(0, 4, "n")); }
