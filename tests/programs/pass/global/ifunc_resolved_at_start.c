//@ native: yes
// An indirect function calls what its resolver chose, directly and through a pointer.
#include <stdio.h>

static int fast(int x) { return x * 3; }

typedef int operation(int);
static operation *resolve(void) { return fast; }
int triple(int x) __attribute__((ifunc("resolve")));

operation *volatile pointer;

int main(void) {
  pointer = triple;
  printf("%d %d\n", triple(14), pointer(5));
  return 0;
}
