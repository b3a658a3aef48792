// With --stop-at-first, the first finding is the last one.
//@ opt: O0
//@ args: --stop-at-first --workers 1
#include <klee/klee.h>

int first[4], second[2];

int main(void) {
  int at = klee_range(0, 8, "at");
  int value = first[at]; // expect: bug out-of-bounds
  return value + second[at];
}
