// Freed memory reads as anything, writes to it are left out, and it is freed once.
//@ opt: O0
//@ args: --ignore use-after-free,double-free
//@ paths: 1
//@ ignored: 3 0
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *volatile cell = malloc(sizeof(int));
  *cell = 1;
  free(cell);
  *cell = 2;
  int value = *cell;
  free(cell);
  assert(value != 3); // expect: bug assert
  return 0;
}
