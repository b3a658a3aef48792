//@ args: --check leaks
// Freeing a struct without the block that it owns.
#include <stdlib.h>

struct parent { char *child; };

int main(void) {
  struct parent *volatile p = malloc(sizeof *p);
  p->child = malloc(20); // expect: bug leak
  p->child[0] = 1;
  free(p);
  p = 0;
  return 0;
}
