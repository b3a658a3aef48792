//@ paths: 2
// Comparing with a word splits the inputs in two: those that equal it, and the others.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[8];
volatile int yes, no;

int main(void) {
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(s[7] == 0);
  if (strcmp(s, "secret") == 0) {
    yes = 1;
    assert(s[0] == 's' && s[5] == 't' && s[6] == 0);
    assert(strlen(s) == 6 && strcspn(s, "ct") == 2);
  } else {
    no = 1;
    assert(memcmp(s, "secret", 7) != 0);
  }
  return 0;
}
