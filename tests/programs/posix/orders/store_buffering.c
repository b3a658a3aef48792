//@ args: --preempt all
//@ paths: 3
// executions: 3
// Each thread stores to its place and loads the place of the other. Both loads before both stores is not sequentially
// consistent.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;
static int seen_x, seen_y;

static void *a(void *none) {
  atomic_store(&x, 1);
  seen_y = atomic_load(&y);
  return none;
}

static void *b(void *none) {
  atomic_store(&y, 1);
  seen_x = atomic_load(&x);
  return none;
}

int main(void) {
  RUN(a, b);
  assert(seen_x || seen_y);
  return 0;
}
