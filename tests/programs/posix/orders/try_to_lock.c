//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads try to take a lock, and count where it is taken. A failed attempt is a read of the lock.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int refused;

static void *attempt(void *none) {
  if (pthread_mutex_trylock(&mutex) == 0)
    pthread_mutex_unlock(&mutex);
  else
    atomic_fetch_add(&refused, 1);
  return none;
}

int main(void) {
  RUN(attempt, attempt);
  assert(refused <= 1);
  return 0;
}
