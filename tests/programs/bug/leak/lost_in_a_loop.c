//@ args: --check leaks
//@ opt: O0
//@ findings: 1
// Three blocks of one allocation site are lost, which is one finding.
#include <stdlib.h>

char *volatile p;

int main(void) {
  for (int i = 0; i < 3; i++)
    p = malloc(8); // expect: bug leak
  p = 0;
  return 0;
}
