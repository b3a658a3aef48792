//@ args: --preempt all
//@ paths: 12
// executions: 12
// Two threads store to one place, and a third loads it twice. Each order of the stores makes six ways to load.
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *a(void *none) {
  atomic_store(&x, 1);
  return none;
}

static void *b(void *none) {
  atomic_store(&x, 2);
  return none;
}

static void *c(void *none) {
  (void)atomic_load(&x);
  (void)atomic_load(&x);
  return none;
}

int main(void) {
  RUN(a, b, c);
  return 0;
}
