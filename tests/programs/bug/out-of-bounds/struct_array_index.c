// The element after the last of an array within a struct at the end of its object.
#include <stdlib.h>

struct ring { int used; int slots[4]; };

volatile int position = 4;

int main(void) {
  struct ring *volatile r = calloc(1, sizeof *r);
  r->slots[position] = 9; // expect: bug out-of-bounds
  free(r);
  return 0;
}
