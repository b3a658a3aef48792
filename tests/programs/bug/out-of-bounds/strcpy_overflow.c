//@ opt: O0 O2
// strcpy of a string that does not fit; the guilty line is the caller's.
#include <stdlib.h>
#include <string.h>

const char *volatile text = "nine chars";

int main(void) {
  char *volatile p = malloc(8);
  strcpy(p, text); // expect: bug out-of-bounds
  free(p);
  return 0;
}
