// A string literal cannot be written to.
#include <string.h>

char *volatile to = "constant";

int main(void) {
  strcpy(to, "x"); // expect: bug read-only-write
  return 0;
}
