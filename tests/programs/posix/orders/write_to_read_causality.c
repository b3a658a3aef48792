//@ args: --preempt all
//@ paths: 7
// executions: 7
// One thread stores, the second loads that and stores, the third loads both. A cause is never seen after its effect.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;
static int relayed, seen_x, seen_y;

static void *a(void *none) {
  atomic_store(&x, 1);
  return none;
}

static void *b(void *none) {
  relayed = atomic_load(&x);
  atomic_store(&y, 1);
  return none;
}

static void *c(void *none) {
  seen_y = atomic_load(&y);
  seen_x = atomic_load(&x);
  return none;
}

int main(void) {
  RUN(a, b, c);
  assert(!(relayed && seen_y && !seen_x));
  return 0;
}
