//@ args: --preempt all
//@ paths: 6
// executions: 6
// Two threads add twice: the additions of one thread keep their order, so there are 4 over 2 executions.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *increment(void *none) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  RUN(increment, increment);
  assert(x == 4);
  return 0;
}
