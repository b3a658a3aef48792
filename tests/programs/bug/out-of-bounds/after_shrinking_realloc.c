// After realloc to a smaller size the old end is out of bounds.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(64);
  p[63] = 1;
  p = realloc(p, 8);
  p[63] = 2; // expect: bug out-of-bounds
  free(p);
  return 0;
}
