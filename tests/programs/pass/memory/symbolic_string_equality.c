// strcmp of a symbolic string with a constant says equal exactly when all bytes are.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

volatile int equal;

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(s[3] == 0);
  if (strcmp(s, "key") == 0)
    equal++;
  int all = (s[0] == 'k') & (s[1] == 'e') & (s[2] == 'y');
  assert(equal == all);
  return 0;
}
