// malloc of a symbolic size gives objects that hold what the path's size promises.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n >= 1);
  klee_assume(n <= 8);
  char *p = malloc(n);
  if (!p)
    return 0;
  p[0] = 'a';
  p[n - 1] = 'z';
  volatile char last = p[n - 1];
  assert(last == 'z');
  assert(klee_get_obj_size(p) >= n);
  free(p);
  return 0;
}
