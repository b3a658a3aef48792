//@ paths: 3
// Less, equal, greater: three paths, and each implies the others' negation.
#include <assert.h>
#include <klee/klee.h>

volatile int less, equal, greater;

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  if (a < b)
    less++;
  if (a == b)
    equal++;
  if (a > b)
    greater++;
  assert(less + equal + greater == 1);
  return 0;
}
