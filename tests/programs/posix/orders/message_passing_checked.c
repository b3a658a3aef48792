//@ args: --preempt all
//@ paths: 2
// executions: 2
// The receiver looks at the value only if it is ready. The value is no race: the flag orders it.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static int value;
static atomic_int ready;

static void *sender(void *none) {
  value = 7;
  atomic_store(&ready, 1);
  return none;
}

static void *receiver(void *none) {
  if (atomic_load(&ready)) assert(value == 7);
  return none;
}

int main(void) {
  RUN(sender, receiver);
  return 0;
}
