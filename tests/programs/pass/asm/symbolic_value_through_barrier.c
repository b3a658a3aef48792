//@ paths: 1
// A symbolic value passes through an empty asm unchanged.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = x;
  __asm__ volatile("" : "+r"(y) : : "memory");
  volatile int difference = x ^ y;
  assert(difference == 0);
  return 0;
}
