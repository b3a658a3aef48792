//@ paths: 4
// Four symbolic bytes may lack a terminator: four lengths complete, and one path overruns.
#include <klee/klee.h>
#include <string.h>

volatile size_t sink;

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  sink = strlen(s); // expect: bug out-of-bounds
  return 0;
}
