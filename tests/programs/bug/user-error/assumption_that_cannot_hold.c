// klee_assume of something that no input of the path satisfies.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(0, 10, "x");
  klee_assume(x > 10); // expect: bug user-error
  return 0;
}
