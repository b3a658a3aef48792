//@ args: --preempt all
//@ paths: 15
// executions: 15
// Two threads store to a place each, two others load both in opposite orders. They never see the stores in different
// orders.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;
static int seen[4];

static void *a(void *none) {
  atomic_store(&x, 1);
  return none;
}

static void *b(void *none) {
  atomic_store(&y, 1);
  return none;
}

static void *c(void *none) {
  seen[0] = atomic_load(&x);
  seen[1] = atomic_load(&y);
  return none;
}

static void *d(void *none) {
  seen[2] = atomic_load(&y);
  seen[3] = atomic_load(&x);
  return none;
}

int main(void) {
  RUN(a, b, c, d);
  assert(!(seen[0] && !seen[1] && seen[2] && !seen[3]));
  return 0;
}
