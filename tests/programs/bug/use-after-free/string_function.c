// Comparing a string that was freed; the guilty line is the caller's.
#include <stdlib.h>
#include <string.h>

const char *volatile other = "name";
volatile int sink;

int main(void) {
  char *volatile p = calloc(1, 8);
  free(p);
  sink = strcmp(p, other); // expect: bug use-after-free
  return 0;
}
