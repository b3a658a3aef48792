//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads load and then store. One of the increments is lost in two of the executions.
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
  RUN(increment, increment);
  assert(x == 1 || x == 2);
  return 0;
}
