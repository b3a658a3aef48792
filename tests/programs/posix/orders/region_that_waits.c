//@ args: --preempt all
//@ paths: 4
// executions: 4
// A thread that waits within a region lets others run, and only then: all of the other one's three events come after the region, or it
// begins before, between or behind them. The beginning of a region counts as an event that everybody notices.
#include <assert.h>
#include <everett.h>
#include <stdatomic.h>
#include <pthread.h>

#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void *region(void *none) {
  everett_preempt_off();
  pthread_mutex_lock(&mutex);
  atomic_store(&inside, 1);
  atomic_store(&inside, 0);
  pthread_mutex_unlock(&mutex);
  everett_preempt_on();
  return none;
}

static void *other(void *none) {
  pthread_mutex_lock(&mutex);
  assert(!atomic_load(&inside));
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  RUN(region, other);
  return 0;
}
