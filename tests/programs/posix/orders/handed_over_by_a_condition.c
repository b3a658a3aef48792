//@ args: --preempt all
//@ paths: 2
// executions: 2
// A thread waits until another has set a flag: the consumer comes first and waits, or comes second and does not.
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *consumer(void *none) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return none;
}

static void *producer(void *none) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  RUN(consumer, producer);
  return 0;
}
