/* Forks at each byte of an input, and works for a while on each path: about as much work for each worker. */
#include <klee/klee.h>

#ifndef N
#define N 12
#endif

volatile unsigned sink;

int main(void) {
  unsigned char b[N];
  unsigned sum = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (unsigned i = 0; i < N; i++)
    if (b[i] > 9) {
      sum++;
      sink = i;
    }
  for (unsigned i = 0; i < 40000; i++)
    sink += i * sum;
  return 0;
}
