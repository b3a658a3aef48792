//@ paths: 2
//@ paths[O0]: 3
// A symbolic length needs no fork where bytes are only looked at (a choice at -O0 is a fork, though).
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char a[] = "abcdef", b[] = "abcxyz";
volatile int same, other;

int main(void) {
  size_t n = klee_range(0, 7, "n");
  assert((memcmp(a, b, n) == 0) == (n <= 3));
  assert((memchr(a, 'c', n) != 0) == (n >= 3));
  assert(strnlen(a, n) == (n < 6 ? n : 6));
  if (strncmp(a, b, n) == 0)
    same = 1;
  else
    other = 1;
  return 0;
}
