//@ args: --preempt all
//@ paths: 120
// executions: 2 with -DN=2, 6 with -DN=3, 24 with -DN=4, 120 with -DN=5, 720 with -DN=6
// N threads take and release one lock: every order of the threads is one execution, N! in all.
#include <assert.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *increment(void *none) {
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  body *all[N];
  for (int i = 0; i < N; i++) all[i] = increment;
  run(N, all);
  assert(x == N);
  return 0;
}
