//@ args: --strings fork
//@ paths: 4
// The same with a path for each length that fits.
#include <klee/klee.h>
#include <string.h>

char s[8], to[4];

int main(void) {
  klee_make_symbolic(s, 7, "s");
  strcpy(to, s); // expect: bug out-of-bounds
  return 0;
}
