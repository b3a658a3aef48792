// strcpy into a literal; the guilty line is the caller's.
#include <string.h>

char *volatile to = "literal";
const char *volatile from = "new";

int main(void) {
  strcpy(to, from); // expect: bug read-only-write
  return 0;
}
