// realloc has already freed the old block.
#include <stdlib.h>

int main(void) {
  char *volatile old = malloc(8), *volatile grown = realloc(old, 800);
  free(grown);
  free(old); // expect: bug double-free
  return 0;
}
