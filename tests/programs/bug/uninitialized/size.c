// The size of an allocation was never written.
//@ args: --check uninitialized
#include <stdlib.h>

int main(void) {
  volatile unsigned short size;
  char *volatile p = malloc(size); // expect: bug uninitialized
  // expect: message contains "a size or a target depends on"
  free(p);
  return 0;
}
