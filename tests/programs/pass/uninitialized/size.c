// The size of an allocation was written.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>

int main(void) {
  volatile unsigned short size;
  size = 3;
  char *volatile p = malloc(size);
  free(p);
  return 0;
}
