//@ paths: 1
// A write that goes to a constant table for one input and to a variable for the others.
#include <klee/klee.h>

const char fixed[4] = "abc";
char variable[4];
char *volatile targets[2] = {variable, (char *)fixed};

int main(void) {
  int which = klee_int("which") == 77;
  char *p = targets[which];
  *p = 'x'; // expect: bug read-only-write
  return 0;
}
