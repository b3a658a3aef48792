//@ findings: 2
//@ opt: O0
// Strings must not be copied over themselves.
#include <klee/klee.h>
#include <string.h>

char buffer[16] = "overlap";

int main(void) {
  if (klee_range(0, 2, "which"))
    strcpy(buffer, buffer + 3); // expect: bug overlap
  else
    strcat(buffer, buffer); // expect: bug overlap
  return 0;
}
