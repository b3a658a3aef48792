//@ paths: 1
// A character used as an index without a cast is negative for bytes above 127.
#include <klee/klee.h>

unsigned char class_of[128];
volatile int sink;

int main(void) {
  signed char c;
  klee_make_symbolic(&c, sizeof c, "c");
  sink = class_of[c]; // expect: bug out-of-bounds
  return 0;
}
