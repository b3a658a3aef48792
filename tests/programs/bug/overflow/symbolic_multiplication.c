//@ args: --check overflow
//@ paths: 1
// A product of two inputs that exceeds int for some of them.
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int width = klee_range(0, 70000, "width"), height = klee_range(0, 70000, "height");
  sink = width * height; // expect: bug overflow
  return 0;
}
