//@ paths: 2
// Inputs may be made before main, in a constructor.
#include <klee/klee.h>

static int input;
volatile int hits;

__attribute__((constructor)) static void prepare(void) {
  klee_make_symbolic(&input, sizeof input, "input");
  klee_assume(input > 0);
}

int main(void) {
  if (input > 1000)
    hits++;
  if (input < 0)
    hits += 2;
  return 0;
}
