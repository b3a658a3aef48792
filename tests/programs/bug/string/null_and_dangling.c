//@ findings: 3
//@ opt: O0
// Pointers to nowhere.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

volatile size_t sink;

int main(void) {
  char *volatile none = 0;
  char *volatile gone = malloc(4);
  free(gone);
  switch (klee_range(0, 3, "which")) {
  case 0:
    sink = strlen(none); // expect: bug null-pointer
    break;
  case 1:
    memcpy(gone, "abc", 4); // expect: bug use-after-free
    break;
  default:
    sink = strcmp("x", gone); // expect: bug use-after-free
  }
  return 0;
}
