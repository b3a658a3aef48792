//@ opt: O0 O2
//@ paths: 16
// Stack, heap and global objects, an array element's struct included, can be made symbolic.
#include <klee/klee.h>
#include <stdlib.h>

struct s { short a; char b; } global;
volatile int hits;

int main(void) {
  int local;
  unsigned char *heap = malloc(3), array[2][2];
  klee_make_symbolic(&local, sizeof local, "local");
  klee_make_symbolic(heap, 3, "heap");
  klee_make_symbolic(&global, sizeof global, "global");
  klee_make_symbolic(array, sizeof array, "array");
  if (local == 7)
    hits++;
  if (heap[2] > 100)
    hits++;
  if (global.b == 'x')
    hits++;
  if (array[1][0] < array[0][1])
    hits++;
  free(heap);
  return 0;
}
