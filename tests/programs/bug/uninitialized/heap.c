// A branch on an element of a heap array that was never written.
//@ args: --check uninitialized
#include <stdlib.h>

static volatile int yes;

int main(void) {
  volatile int *p = malloc(4 * sizeof *p);
  p[0] = 1;
  if (p[1]) // expect: bug uninitialized
    // expect: message contains "a branch depends on the byte at offset 4 of a heap object of 16 bytes"
    yes = 1;
  free((void *)p);
  return 0;
}
