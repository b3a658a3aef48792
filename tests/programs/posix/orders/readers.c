//@ args: --preempt all
//@ paths: 32
// executions: 4 with -DN=2, 8 with -DN=3, 16 with -DN=4, 32 with -DN=5, 64 with -DN=6, 128 with -DN=7
// One thread stores, N threads load, each before or after the store: 2^N executions.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *writer(void *none) {
  atomic_store(&x, 1);
  return none;
}

static void *reader(void *none) {
  (void)atomic_load(&x);
  return none;
}

int main(void) {
  body *all[N + 1] = {writer};
  for (int i = 1; i <= N; i++) all[i] = reader;
  run(N + 1, all);
  return 0;
}
