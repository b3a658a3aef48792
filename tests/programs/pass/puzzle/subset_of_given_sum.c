//@ paths: 1
// One subset of these numbers adds up to 69.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char set;
  klee_make_symbolic(&set, sizeof set, "set");
  klee_assume(set < 64);
  static const unsigned char weights[6] = {1, 3, 7, 12, 26, 50};
  unsigned sum = 0;
  for (int i = 0; i < 6; i++)
    sum += weights[i] * (set >> i & 1u);
  volatile unsigned total = sum;
  klee_assume(total == 69);
  assert(set == 0x2c);
  return 0;
}
