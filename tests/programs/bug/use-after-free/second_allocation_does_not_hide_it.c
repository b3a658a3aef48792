// A new block of the same size does not make the old pointer valid again.
#include <stdlib.h>

volatile int sink;

int main(void) {
  int *volatile a = malloc(32);
  free(a);
  int *volatile b = malloc(32);
  b[0] = 1;
  sink = a[0]; // expect: bug use-after-free
  free(b);
  return 0;
}
