//@ opt: O0 O2
//@ paths: 1
// strlen of a four-byte symbolic string with a terminator somewhere: one path for all lengths.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(s[4] == 0);
  volatile size_t n = strlen(s);
  assert(n <= 4);
  return 0;
}
