//@ args: --check leaks --max-malloc-fail 1
//@ paths: 3
// free of a null pointer is no error, and nothing is lost where the old pointer is kept.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(8);
  if (p == NULL) {
    free(p);
    return 1;
  }
  char *volatile larger = realloc(p, 64);
  if (larger == NULL) {
    free(p);
    free(larger);
    return 2;
  }
  p = larger;
  p++;
  free(p - 1);
  p = NULL;
  free(p);
  return 0;
}
