//@ paths: 1
// A symbolic index one past a table of functions is a bad read of the table.
#include <klee/klee.h>

static int f(void) { return 1; }

int (*table[2])(void) = {f, f};
volatile int sink;

int main(void) {
  int i = klee_range(1, 3, "i");
  int (*chosen)(void) = table[i]; // expect: bug out-of-bounds
  sink = chosen();
  return 0;
}
