//@ native: yes
//@ opt: O0 O1 O2
// expect, assume, prefetch, assume_aligned, constant_p and lifetime markers change nothing.
#include <stdio.h>

int aligned[8] __attribute__((aligned(32))) = {1, 2, 3, 4, 5, 6, 7, 8};
volatile int v = 4;

#if defined(__clang__)
#define ASSUME(c) __builtin_assume(c)
#else
#define ASSUME(c) ((void)0)
#endif

int main(void) {
  int n = v, sum = 0;
  if (__builtin_expect(n > 3, 0))
    sum += 100;
  if (__builtin_expect_with_probability(n == 3, 1, 0.9))
    sum += 1000;
  ASSUME(n < 8);
  int *p = __builtin_assume_aligned(aligned, 32);
  __builtin_prefetch(p + 4, 1, 2);
  for (int i = 0; i < n; i++) {
    int scoped[4] = {i, i, i, i};
    sum += scoped[i] * p[i];
  }
  if (n > 100)
    __builtin_unreachable();
  printf("%d %d\n", sum, __builtin_constant_p(n) ? 0 : 1);
  return 0;
}
