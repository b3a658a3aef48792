//@ args: --preempt all
//@ paths: 144
// executions: 2 with -DN=2, 5 with -DN=3, 14 with -DN=4, 43 with -DN=5, 144 with -DN=6, 523 with -DN=7, 2048 with -DN=8
// Thread i of 1 to N puts i in the place of i - 1, if that is there. A compare-and-swap that fails is a read.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *rotate(void *number) {
  int old = (int)(intptr_t)number;
  atomic_compare_exchange_strong(&x, &old, old + 1);
  return NULL;
}

int main(void) {
  body *all[N];
  for (int i = 0; i < N; i++) all[i] = rotate;
  run(N, all);
  return 0;
}
