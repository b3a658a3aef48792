//@ opt: O0
//@ findings: 2
//@ paths: 0
// The same line reached through two different call sites has two stacks.
#include <assert.h>
#include <klee/klee.h>

static void check(int ok) {
  assert(ok); // expect: bug assert
}

static void first(void) { check(0); }
static void second(void) { check(0); }

int main(void) {
  if (klee_int("x") > 0)
    first();
  else
    second();
  return 0;
}
