//@ args: --preempt all
//@ paths: 3
// executions: 3
// Each thread raises its flag and goes in if that of the other is down. Both may stay outside; never are both inside.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int wants[2], inside;

static void *enter(void *number) {
  int me = (int)(intptr_t)number;
  atomic_store(&wants[me], 1);
  if (!atomic_load(&wants[1 - me])) atomic_fetch_add(&inside, 1);
  return NULL;
}

int main(void) {
  RUN(enter, enter);
  assert(inside <= 1);
  return 0;
}
