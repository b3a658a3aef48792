// The second allocation is used without a look at it.
//@ args: --max-malloc-fail 1
//@ paths: 2
#include <stdlib.h>

int main(void) {
  char *first = malloc(4);
  if (!first) return 1;
  char *second = malloc(8);
  second[0] = 1; // expect: bug null-pointer
  free(second);
  free(first);
  return 0;
}
