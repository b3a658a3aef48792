//@ paths: 3
// Paths that end by exit() with any code, or by return, are completed paths.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_range(0, 3, "x");
  if (x == 0)
    exit(0);
  if (x == 1)
    exit(77);
  return 5;
}
