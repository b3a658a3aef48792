//@ args: --preempt all
//@ paths: 2
// executions: 2
// Two threads take two locks in the same order: who has the first lock has the second.
#include <assert.h>

#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *both(void *none) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  moved++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return none;
}

int main(void) {
  RUN(both, both);
  assert(moved == 2);
  return 0;
}
