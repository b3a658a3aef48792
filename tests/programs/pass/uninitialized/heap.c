// Only elements of a heap array that were written decide something, and calloc has written all.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>

static volatile int yes;

int main(void) {
  volatile int *p = malloc(4 * sizeof *p);
  p[0] = 1;
  p[2] = p[3];
  if (p[0])
    yes = 1;
  free((void *)p);
  p = calloc(4, sizeof *p);
  if (p[1])
    yes = 2;
  free((void *)p);
  return 0;
}
