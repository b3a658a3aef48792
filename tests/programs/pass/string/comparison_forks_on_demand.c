//@ args: --strings fork
//@ paths: 4
// With --strings fork, there is a path for each byte that can be the first to differ.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char s[3];
volatile int order;

int main(void) {
  klee_make_symbolic(s, sizeof s, "s");
  order = memcmp(s, "abc", 3);
  return 0;
}
