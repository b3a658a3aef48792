//@ args: --preempt all
//@ opt: O1
//@ paths: 4
// executions: 4
// Two threads increment a plain variable, which is a load and a store. This is a data race; it has the executions of
// load_then_store.
#include <assert.h>

#include "../../posix/orders/threads.h"

static volatile int x;

static void *increment(void *none) {
  int seen = x; // expect: bug data-race
  x = seen + 1; // expect: bug data-race
  return none;
}

int main(void) {
  RUN(increment, increment);
  assert(x == 1 || x == 2);
  return 0;
}
