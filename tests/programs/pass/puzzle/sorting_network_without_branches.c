//@ paths: 1
// A branch-free sorting network sorts every input, proved on one path.
#include <assert.h>
#include <klee/klee.h>

static void order(unsigned char *a, unsigned char *b) {
  unsigned x = *a, y = *b, swap = 0u - (x > y), t = (x ^ y) & swap;
  *a = (unsigned char)(x ^ t);
  *b = (unsigned char)(y ^ t);
}

int main(void) {
  unsigned char v[4];
  klee_make_symbolic(v, sizeof v, "v");
  order(&v[0], &v[1]);
  order(&v[2], &v[3]);
  order(&v[0], &v[2]);
  order(&v[1], &v[3]);
  order(&v[1], &v[2]);
  volatile int sorted = (v[0] <= v[1]) & (v[1] <= v[2]) & (v[2] <= v[3]);
  assert(sorted);
  return 0;
}
