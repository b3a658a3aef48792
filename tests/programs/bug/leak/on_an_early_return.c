//@ args: --check leaks
// One path returns early without freeing.
#include <klee/klee.h>
#include <stdlib.h>

char *volatile p;

int main(void) {
  p = malloc(16); // expect: bug leak
  p[0] = 1;
  if (klee_int("x") == 3) {
    p = 0;
    return 1;
  }
  free(p);
  return 0;
}
