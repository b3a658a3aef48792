//@ findings: 3
//@ opt: O0
// A symbolic length that may reach past a long run of known bytes is found, and only if nothing stops it before.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 100000

volatile size_t sink;

int main(void) {
  char *p = malloc(SIZE);
  memset(p, 'a', SIZE);
  p[SIZE - 1] = 'b';
  size_t n = klee_range(0, SIZE + 2, "n");
  switch (klee_range(0, 4, "which")) {
  case 0:
    sink = (size_t)memchr(p, 'b', n);
    break;
  case 1:
    sink = (size_t)memchr(p, 'c', n); // expect: bug out-of-bounds
    // expect: message contains "read of 1 byte just past the end of a heap object of 100000 bytes"
    break;
  case 2:
    sink = strnlen(p, n); // expect: bug out-of-bounds
    break;
  default:
    sink = memcmp(p, p, n); // expect: bug out-of-bounds
  }
  free(p);
  return 0;
}
