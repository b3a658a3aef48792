//@ args: --check leaks
//@ paths: 1
// An object marked as belonging to the environment is not reported as leaked.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  klee_mark_global(p);
  p[0] = 1;
  p = 0;
  return 0;
}
