//@ args: --preempt all
//@ paths: 64
// executions: 5 with -DN=2, 12 with -DN=3, 28 with -DN=4, 64 with -DN=5, 144 with -DN=6, 320 with -DN=7
// Thread j of 1 to N stores a[j] = a[j - 1] + 1, and one more thread looks for a zero from the end: (N + 3) * 2^(N - 2)
// executions. a[0] is always zero.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int a[N + 1];

static void *searcher(void *none) {
  int i = N;
  while (atomic_load(&a[i]) != 0) i--;
  return none;
}

static void *writer(void *number) {
  int j = (int)(intptr_t)number;
  atomic_store(&a[j], atomic_load(&a[j - 1]) + 1);
  return NULL;
}

int main(void) {
  body *all[N + 1] = {searcher};
  for (int j = 1; j <= N; j++) all[j] = writer;
  run(N + 1, all);
  return 0;
}
