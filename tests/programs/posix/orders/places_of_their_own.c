//@ args: --preempt all
//@ paths: 1
// executions: 1
// Four threads store and load, each in a place of its own: all orders are the same execution.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int own[4];

static void *use(void *number) {
  int me = (int)(intptr_t)number;
  atomic_store(&own[me], 1);
  assert(atomic_load(&own[me]) == 1);
  return NULL;
}

int main(void) {
  RUN(use, use, use, use);
  return 0;
}
