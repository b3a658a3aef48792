//@ findings: 3
//@ opt: O0
// strcat, strncat and strlcat write past the end of the target.
#include <klee/klee.h>
#include <string.h>

char one[8] = "12345", two[8] = "12345", three[8] = "12345";
volatile size_t n = 3, large = 12;

int main(void) {
  switch (klee_range(0, 3, "which")) {
  case 0:
    strcat(one, "678"); // expect: bug out-of-bounds
    break;
  case 1:
    strncat(two, "6789", n); // expect: bug out-of-bounds
    break;
  default:
    strlcat(three, "678", large); // expect: bug out-of-bounds
  }
  return 0;
}
