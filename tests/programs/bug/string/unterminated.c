//@ findings: 6
//@ opt: O0
// Looking for the end of a string that has none, one function a path.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

volatile size_t sink;

int main(void) {
  char *volatile p = malloc(300);
  memset(p, 'a', 300);
  switch (klee_range(0, 6, "which")) {
  case 0:
    sink = strlen(p); // expect: bug out-of-bounds
    // expect: message contains "read of 1 byte just past the end of a heap object of 300 bytes"
    break;
  case 1:
    sink = strcmp(p, p); // expect: bug out-of-bounds
    break;
  case 2:
    sink = (size_t)strchr(p, 'b'); // expect: bug out-of-bounds
    break;
  case 3:
    sink = strspn(p, "ab"); // expect: bug out-of-bounds
    break;
  case 4:
    sink = (size_t)strstr(p, "ab"); // expect: bug out-of-bounds
    break;
  default:
    free(strdup(p)); // expect: bug out-of-bounds
  }
  return 0;
}
