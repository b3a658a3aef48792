//@ args: --check leaks
// The only pointer to a block is overwritten; the finding names the allocation.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(10); // expect: bug leak
  p[0] = 1;
  p = 0;
  return 0;
}
