//@ args: --preempt all
//@ opt: O1
//@ paths: 1
// executions: 1, and 1 stuck
// A thread waits for a signal without a state that remembers it. If the signal comes first, it waits for ever.
#include "../../posix/orders/threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *consumer(void *none) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return none;
}

static void *producer(void *none) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  RUN(consumer, producer); // expect: bug deadlock
  return 0;
}
