//@ args: --preempt all
//@ paths: 36
// executions: 36
// Three threads load and then store.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *increment(void *none) {
  int seen = atomic_load(&x);
  atomic_store(&x, seen + 1);
  return none;
}

int main(void) {
  RUN(increment, increment, increment);
  assert(x >= 1 && x <= 3);
  return 0;
}
