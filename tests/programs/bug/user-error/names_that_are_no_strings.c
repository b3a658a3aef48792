// Names and texts for the engine have to be strings.
//@ findings: 6
//@ paths: 1
#include <klee/klee.h>

char *volatile nowhere = (char *)8;
char no_end[3] = {'a', 'b', 'c'};
volatile int sink;

int main(void) {
  int x, y, z;
  klee_make_symbolic(&z, sizeof z, (char *)0);
  klee_make_symbolic(&z, sizeof z, "");
  int which = klee_int("which");
  switch (which) {
  case 0:
    klee_make_symbolic(&x, sizeof x, nowhere); // expect: bug user-error
    // expect: message contains "the name for klee_make_symbolic is no string: there is nothing at 0x8"
    return 1;
  case 1:
    klee_make_symbolic(&y, sizeof y, no_end); // expect: bug user-error
    // expect: message contains "its object ends before it does"
    return 1;
  case 2:
    sink = klee_int(nowhere); // expect: bug user-error
    return 1;
  case 3:
    sink = klee_range(0, 5, nowhere); // expect: bug user-error
    return 1;
  case 4:
    klee_warning(nowhere); // expect: bug user-error
    return 1;
  case 5:
    klee_prefer_cex(nowhere, z > 0); // expect: bug user-error
    return 1;
  }
  return 0;
}
