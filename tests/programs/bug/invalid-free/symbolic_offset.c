//@ paths: 1
// Only one of four possible addresses is the start of the block.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(16);
  int skip = klee_range(0, 4, "skip");
  free(p + skip); // expect: bug invalid-free
  return 0;
}
