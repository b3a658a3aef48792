//@ args: --preempt all
//@ paths: 2
// executions: 2
// Each of two threads stores, waits for the other, and loads what that has stored: nothing is left to chance but
// which of them arrives first.
#include <assert.h>

#include "threads.h"

static pthread_barrier_t barrier;
static int own[2];

static void *phase(void *number) {
  int me = (int)(intptr_t)number;
  own[me] = 1;
  pthread_barrier_wait(&barrier);
  assert(own[1 - me] == 1);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  RUN(phase, phase);
  return 0;
}
