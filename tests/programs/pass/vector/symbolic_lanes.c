//@ paths: 1
// Lanes of a vector may be symbolic; operations stay lane-wise and do not fork.
#include <assert.h>
#include <klee/klee.h>

typedef unsigned v4u __attribute__((vector_size(16)));

int main(void) {
  v4u v;
  klee_make_symbolic(&v, sizeof v, "v");
  v4u doubled = v + v, shifted = v << 1;
  for (int i = 0; i < 4; i++)
    assert(doubled[i] == shifted[i]);
  v4u swapped = __builtin_shufflevector(v, v, 1, 0, 3, 2);
  volatile unsigned x = swapped[0] ^ v[1];
  assert(x == 0);
  return 0;
}
