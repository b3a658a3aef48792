//@ args: --preempt all
//@ paths: 1
// executions: 1
// A thread is waited for before the next one is created: creation and join order everything.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *increment(void *none) {
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  pthread_t thread;
  atomic_store(&x, 1);
  pthread_create(&thread, NULL, increment, NULL);
  pthread_join(thread, NULL);
  atomic_fetch_add(&x, 1);
  pthread_create(&thread, NULL, increment, NULL);
  pthread_join(thread, NULL);
  assert(atomic_load(&x) == 4);
  return 0;
}
