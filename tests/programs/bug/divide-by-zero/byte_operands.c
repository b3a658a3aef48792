//@ paths: 1
// Division of bytes, promoted to int, by a byte that may be zero.
#include <klee/klee.h>

volatile unsigned char sink;

int main(void) {
  unsigned char b;
  klee_make_symbolic(&b, sizeof b, "b");
  sink = (unsigned char)(200 % (b & 0x0f)); // expect: bug divide-by-zero
  return 0;
}
