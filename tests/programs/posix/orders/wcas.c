//@ args: --preempt all
//@ paths: 81
// executions: 5 with -DN=2, 13 with -DN=3, 33 with -DN=4, 81 with -DN=5, 193 with -DN=6
// One thread stores 2, N threads put 3 in the place of 2, if that is there.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *writer(void *none) {
  atomic_store(&x, 2);
  return none;
}

static void *swap(void *none) {
  int old = 2;
  atomic_compare_exchange_strong(&x, &old, 3);
  return none;
}

int main(void) {
  body *all[N + 1] = {writer};
  for (int i = 1; i <= N; i++) all[i] = swap;
  run(N + 1, all);
  return 0;
}
