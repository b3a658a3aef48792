// With --stop-after 2, a third finding is not looked for.
//@ opt: O0
//@ args: --stop-after 2 --workers 1
//@ findings: 2
#include <klee/klee.h>

int first[6], second[4], third[2];

int main(void) {
  int at = klee_range(0, 8, "at");
  int value = first[at]; // expect: bug out-of-bounds
  value += second[at];   // expect: bug out-of-bounds
  return value + third[at];
}
