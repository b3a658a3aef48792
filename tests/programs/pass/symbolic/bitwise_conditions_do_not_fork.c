//@ paths: 2
// The same condition with & and | is one branch.
#include <klee/klee.h>

volatile int hits;

int main(void) {
  int a = klee_int("a"), b = klee_int("b"), c = klee_int("c");
  if (((a > 0) & (b > 0)) | (c > 100000))
    hits++;
  return 0;
}
