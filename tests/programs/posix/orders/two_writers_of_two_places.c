//@ args: --preempt all
//@ paths: 3
// executions: 3
// Two threads store to two places in opposite orders. That each has the first store of the other last is not possible.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;

static void *a(void *none) {
  atomic_store(&x, 1);
  atomic_store(&y, 2);
  return none;
}

static void *b(void *none) {
  atomic_store(&y, 1);
  atomic_store(&x, 2);
  return none;
}

int main(void) {
  RUN(a, b);
  assert(!(x == 1 && y == 1));
  return 0;
}
