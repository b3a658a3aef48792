// Freeing the same block twice.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(10);
  free(p);
  free(p); // expect: bug double-free
  return 0;
}
