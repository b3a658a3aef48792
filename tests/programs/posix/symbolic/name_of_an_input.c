//@ native: no
//@ paths: 3
// The name of an input may depend on another one: each path has a name of its own, and a test finds it again.
#include <klee/klee.h>

volatile int sink;

int main(void) {
  char name[] = "x?";
  name[1] = (char)klee_range('a', 'd', "letter");
  sink = klee_int(name);
  return 0;
}
