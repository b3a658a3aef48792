//@ native: yes
// Shuffles with constant masks: reverse, interleave, broadcast, and lanes of two vectors.
#include <stdio.h>

typedef int v4i __attribute__((vector_size(16)));
typedef int v2i __attribute__((vector_size(8)));

volatile int seed = 1;

static void show(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

int main(void) {
  v4i a = {seed, 2, 3, 4}, b = {5, 6, 7, seed + 7};
  show(__builtin_shufflevector(a, b, 3, 2, 1, 0));
  show(__builtin_shufflevector(a, b, 0, 4, 1, 5));
  show(__builtin_shufflevector(a, a, 2, 2, 2, 2));
  v2i low = __builtin_shufflevector(a, b, 6, 1);
  printf("%d %d\n", low[0], low[1]);
  return 0;
}
