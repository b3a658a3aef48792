//@ opt: O0
//@ paths: 6
// Sorting three symbolic numbers by comparisons takes one path for each of the six orders.
#include <assert.h>
#include <klee/klee.h>

static void order(int *a, int *b) {
  if (*a > *b) {
    int t = *a;
    *a = *b;
    *b = t;
  }
}

int main(void) {
  int v[3];
  klee_make_symbolic(v, sizeof v, "v");
  order(&v[0], &v[1]);
  order(&v[1], &v[2]);
  order(&v[0], &v[1]);
  assert(v[0] <= v[1] && v[1] <= v[2]);
  return 0;
}
