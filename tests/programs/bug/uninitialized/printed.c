// A number that was never written is printed.
//@ args: --check uninitialized
//@ findings: 1
#include <stdio.h>

int main(void) {
  volatile int x;
  printf("%d\n", x); // expect: bug uninitialized
  return 0;
}
