//@ paths: 2
// The error path frees the buffer and forgets to return.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(4);
  int code = klee_range(0, 3, "code");
  if (code == 0)
    free(p);
  p[1] = 1; // expect: bug use-after-free
  if (code == 1)
    p[0] = 2;
  free(p);
  return 0;
}
