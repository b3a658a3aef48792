//@ paths: 1
// A symbolic operand that can have one value only loses nothing.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume((x < 16) & (x * 3 + 1 == 16));
  float f = x;
  assert(f == 5.0f && f * f == 25.0f);
  return 0;
}
