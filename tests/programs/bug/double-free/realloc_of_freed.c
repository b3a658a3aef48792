// realloc of a block that was freed.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(8);
  free(p);
  p = realloc(p, 16); // expect: bug double-free
  free(p);
  return 0;
}
