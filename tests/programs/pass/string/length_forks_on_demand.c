//@ args: --strings fork
//@ paths: 9
// With --strings fork, each length has its path, and functions that follow do not fork again.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[9], copy[9];

int main(void) {
  klee_make_symbolic(s, 8, "s");
  volatile size_t n = strlen(s);
  assert(strnlen(s, 9) == n);
  strcpy(copy, s);
  assert(strcmp(copy, s) == 0 && memcmp(copy, s, n + 1) == 0);
  assert(strrchr(copy, 0) == copy + n);
  return 0;
}
