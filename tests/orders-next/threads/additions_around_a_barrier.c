//@ args: --preempt all
//@ opt: O1
// executions: 4
// Two threads add before a barrier and behind it: two orders on each side. Arrivals commute.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static pthread_barrier_t barrier;
static atomic_int x;

static void *phase(void *none) {
  atomic_fetch_add(&x, 1);
  pthread_barrier_wait(&barrier);
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  RUN(phase, phase);
  assert(x == 4);
  return 0;
}
