// Reading a block after it was freed.
#include <stdlib.h>

volatile int sink;

int main(void) {
  int *volatile p = malloc(sizeof *p);
  *p = 5;
  free(p);
  sink = *p; // expect: bug use-after-free
  return 0;
}
