//@ paths: 1
// klee_abort is an abort, too.
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") == 42)
    klee_abort(); // expect: bug abort
  return 0;
}
