//@ args: --check leaks --ignore invalid-free
// The pointer is moved before it is freed. Behind that mistake, which is a finding of its own, the block is lost.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(8); // expect: bug leak
  p++;
  free(p);
  p = NULL;
  return 0;
}
