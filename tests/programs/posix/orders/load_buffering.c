//@ args: --preempt all
//@ paths: 3
// executions: 3
// Each thread loads one place and then stores to the other. That both loads see the stores behind them is not possible.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;
static int seen_x, seen_y;

static void *a(void *none) {
  seen_x = atomic_load(&x);
  atomic_store(&y, 1);
  return none;
}

static void *b(void *none) {
  seen_y = atomic_load(&y);
  atomic_store(&x, 1);
  return none;
}

int main(void) {
  RUN(a, b);
  assert(!(seen_x && seen_y));
  return 0;
}
