//@ args: --preempt all
//@ paths: 36
// executions: 36
// Three threads meet at a barrier; then two store and one loads: six orders of arrivals, and six afterwards.
#include <stdatomic.h>

#include "threads.h"

static pthread_barrier_t barrier;
static atomic_int x;

static void *phase(void *number) {
  int me = (int)(intptr_t)number;
  pthread_barrier_wait(&barrier);
  if (me < 2)
    atomic_store(&x, me + 1);
  else
    (void)atomic_load(&x);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  RUN(phase, phase, phase);
  return 0;
}
