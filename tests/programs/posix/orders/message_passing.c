//@ args: --preempt all
//@ paths: 3
// executions: 3
// One thread stores to two places, the other loads them in the opposite order.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;
static int seen_x, seen_y;

static void *a(void *none) {
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  return none;
}

static void *b(void *none) {
  seen_y = atomic_load(&y);
  seen_x = atomic_load(&x);
  return none;
}

int main(void) {
  RUN(a, b);
  assert(seen_x || !seen_y);
  return 0;
}
