//@ paths: 1
// The clean-up frees again what the error path has freed.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(4);
  if (klee_int("error") != 0)
    free(p);
  free(p); // expect: bug double-free
  return 0;
}
