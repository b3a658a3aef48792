//@ opt: O0
//@ paths: 1
// A place declared unreachable is reached for one input.
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") == 5)
    __builtin_unreachable(); // expect: bug unreachable
  return 0;
}
