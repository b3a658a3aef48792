//@ args: --preempt all
//@ paths: 120
// executions: 2 with -DN=2, 6 with -DN=3, 24 with -DN=4, 120 with -DN=5, 720 with -DN=6
// N threads add 1 to one place, each in one step: every order of the additions is one execution, N! in all.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *increment(void *none) {
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  body *all[N];
  for (int i = 0; i < N; i++) all[i] = increment;
  run(N, all);
  assert(x == N);
  return 0;
}
