//@ args: --preempt all
//@ paths: 8
// executions: 8
// Two threads add before a barrier and behind it: two orders on each side, and two of
// the arrivals, as one thread is told that it is the serial one.
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
