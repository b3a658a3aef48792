// Writing the element before a heap block.
#include <stdlib.h>

int main(void) {
  int *volatile p = malloc(10 * sizeof *p);
  p[-1] = 5; // expect: bug out-of-bounds
  free(p);
  return 0;
}
