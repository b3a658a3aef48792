//@ cflags: -fsanitize=float-cast-overflow
// A product that no longer fits an int.
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!(x >= 0 && x <= 1000000))
    return 0;
  volatile int y = (int)(x * 3000); // expect: bug float-cast
  return y == 1;
}
