// The difference of pointers that are not whole elements apart.
//@ args: --check overflow
//@ opt: O0 O1
#include <klee/klee.h>

volatile long sink;

int main(void) {
  char bytes[16];
  int *first = (int *)bytes;
  int *volatile second = (int *)(bytes + 6);
  int *volatile third = (int *)(bytes + 8);
  sink = third - first;
  sink = second - first; // expect: bug overflow
  return 0;
}
