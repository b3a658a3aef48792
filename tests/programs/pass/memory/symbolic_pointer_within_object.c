//@ paths: 1
// Pointer arithmetic with symbolic offsets that stays within one object does not fork.
#include <assert.h>
#include <klee/klee.h>

int data[10] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90};

int main(void) {
  int a = klee_range(0, 5, "a"), b = klee_range(0, 5, "b");
  int *p = data + a, *q = p + b;
  volatile int v = *q;
  assert(v == 10 * (a + b));
  assert(q - data == a + b);
  assert(q >= p);
  return 0;
}
