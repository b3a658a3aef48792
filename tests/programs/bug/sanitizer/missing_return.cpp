// A function ends without the value that it promises, for one input.
//@ cflags: -fsanitize=undefined -Wno-return-type
#include <klee/klee.h>

__attribute__((noinline)) static int sign(int x) {
  if (x > 0) return 1;
  if (x < 0) return -1; // expect: bug missing-return
}

int main() { return sign(klee_int("x")) == 5; }
