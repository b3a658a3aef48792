//@ args: --strings expression
//@ paths: 1
// A string of unknown length fits the target on some inputs only.
#include <klee/klee.h>
#include <string.h>

char s[8], to[4];

int main(void) {
  klee_make_symbolic(s, 7, "s");
  strcpy(to, s); // expect: bug out-of-bounds
  // expect: message contains "write of 1 byte just past the end of global 'to' of 4 bytes"
  klee_assert(strlen(s) < 4);
  return 0;
}
