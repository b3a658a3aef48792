// realloc of an address inside a block.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(16), *volatile q = p + 4;
  q = realloc(q, 32); // expect: bug invalid-free
  free(p);
  return q != 0;
}
