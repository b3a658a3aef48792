//@ opt: O0
//@ findings: 4
//@ paths: 1
// Each case of a switch has its own kind of bug.
#include <klee/klee.h>
#include <stdlib.h>

int *volatile null;
volatile int zero;

int main(void) {
  char *p = malloc(4);
  switch (klee_range(0, 5, "which")) {
  case 0: return *null; // expect: bug null-pointer
  case 1: return 1 / zero; // expect: bug divide-by-zero
  case 2: return p[4]; // expect: bug out-of-bounds
  case 3: abort(); // expect: bug abort
  default: break;
  }
  free(p);
  return 0;
}
