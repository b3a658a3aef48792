//@ paths: 1
//@ paths[O0]: 2
// A symbolic string has all its lengths on one path; the choice in the assertion forks without optimisation.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[9];
volatile int misses;

int main(void) {
  klee_make_symbolic(s, 8, "s");
  size_t n = strlen(s);
  assert(n <= 8 && strnlen(s, 3) == (n < 3 ? n : 3));
  char *end = strchr(s, 0);
  assert(end == s + n);
  misses = memchr(s, 'x', 8) == 0;
  return 0;
}
