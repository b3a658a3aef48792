//@ opt: O0
//@ paths: 2
// klee_alias_function redirects calls in this state until it is undone, and only on its path.
#include <assert.h>
#include <klee/klee.h>

int original(void) { return 1; }
int replacement(void) { return 2; }
int family_one(void) { return 3; }

int main(void) {
  int x = klee_int("x");
  if (x > 0)
    klee_alias_function("original", "replacement");
  assert(original() == (x > 0 ? 2 : 1));
  klee_alias_undo("original");
  assert(original() == 1);
  klee_alias_function_regex("family_.*", "replacement");
  assert(family_one() == 2);
  klee_alias_undo("family_.*");
  assert(family_one() == 3);
  return 0;
}
