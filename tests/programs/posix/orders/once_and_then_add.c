//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads ask for one initialisation and add to what it made: either makes it, and either adds first.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static pthread_once_t first = PTHREAD_ONCE_INIT;
static atomic_int x;

static void initialise(void) {
  atomic_store(&x, 10);
}

static void *use(void *none) {
  pthread_once(&first, initialise);
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  RUN(use, use);
  assert(x == 12);
  return 0;
}
