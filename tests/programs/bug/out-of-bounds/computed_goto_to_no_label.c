// A computed goto to what is no label is the fault of the goto.
//@ findings: 2
//@ paths: 1
#include <klee/klee.h>

static int elsewhere;
void *volatile bad = &elsewhere;
volatile int seen;

int main(void) {
  static void *const labels[] = {&&first, &&second};
  int which = klee_int("which");
  if (which == 1)
    goto *bad; // expect: bug out-of-bounds
  seen = 1;
  if (which == 2)
    goto *(char *)bad; // expect: bug out-of-bounds
  // expect: message contains "which is no label of this function"
  seen = 2;
  goto *labels[which & 1];
first:
  seen = 3;
  klee_silent_exit(0);
second:
  seen = 4;
  return 0;
}
