//@ args: --strings expression
//@ paths: 1
// Copying a symbolic string does not fork, and changes the target only as far as the string goes.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[5], to[16], padded[8];

int main(void) {
  klee_make_symbolic(s, 4, "s");
  memset(to, '#', sizeof to);
  char *end = stpcpy(to, s);
  size_t n = strlen(s);
  assert(end == to + n && strcmp(to, s) == 0);
  assert(to[5] == '#' && (n == 4) == (to[4] == 0));
  memset(padded, '#', sizeof padded);
  strncpy(padded, s, 6);
  assert(padded[4] == 0 && padded[5] == 0 && padded[6] == '#');
  assert(strncmp(padded, s, 6) == 0);
  return 0;
}
