//@ args: --preempt all
//@ paths: 8
// executions: 10
// Two threads wait until a third has set a flag. Those that wait are woken in the order
// in which they came, as the C library does it; POSIX would allow two more executions.
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
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  RUN(consumer, consumer, producer);
  return 0;
}
