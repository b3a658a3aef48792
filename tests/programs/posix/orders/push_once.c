//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads try once to put themselves on top of a list without a lock. One of them may fail, and never both.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int head;
static int done[2];

static void *push(void *number) {
  int old = atomic_load(&head);
  if (atomic_compare_exchange_strong(&head, &old, (int)(intptr_t)number + 1)) done[(intptr_t)number] = 1;
  return NULL;
}

int main(void) {
  RUN(push, push);
  assert(done[0] || done[1]);
  return 0;
}
