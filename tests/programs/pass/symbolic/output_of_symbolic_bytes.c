//@ paths: 1
// Writing symbolic bytes out is allowed and does not fork.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int c = klee_range('a', 'z', "c");
  putchar(c);
  putchar('\n');
  return 0;
}
