//@ args: --strings expression
//@ paths: 1
// Four symbolic bytes may lack a terminator: one path has all four lengths, and one overruns.
#include <klee/klee.h>
#include <string.h>

volatile size_t sink;

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  sink = strlen(s); // expect: bug out-of-bounds
  return 0;
}
