//@ args: --preempt all
//@ paths: 1
// executions: 1
// A semaphore hands a plain variable over: there is one order.
#include <assert.h>
#include <semaphore.h>

#include "threads.h"

static sem_t ready;
static int x;

static void *producer(void *none) {
  x = 1;
  sem_post(&ready);
  return none;
}

static void *consumer(void *none) {
  sem_wait(&ready);
  assert(x == 1);
  return none;
}

int main(void) {
  sem_init(&ready, 0, 0);
  RUN(producer, consumer);
  return 0;
}
