//@ opt: O0 O1
//@ paths: 7
// A loop up to a symbolic bound of at most six unrolls into one path for each trip count.
#include <klee/klee.h>

volatile int trips;

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 6);
  for (unsigned i = 0; i < n; i++)
    trips++;
  return 0;
}
