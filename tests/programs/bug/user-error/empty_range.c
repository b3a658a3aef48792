// klee_range with an empty interval; the guilty line is the caller's.
#include <klee/klee.h>

volatile int begin = 5, sink;

int main(void) {
  sink = klee_range(begin, 5, "x"); // expect: bug user-error
  return 0;
}
