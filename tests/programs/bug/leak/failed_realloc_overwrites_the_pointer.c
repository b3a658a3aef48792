//@ args: --check leaks --max-malloc-fail 1
// A realloc that fails leaves the block alone, and its result overwrites the only pointer to it.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(8); // expect: bug leak
  if (p == NULL) return 1;
  p = realloc(p, 64);
  free(p);
  return 0;
}
