//@ args: --preempt 2
// An atomic addition loses no increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *none) {
  atomic_fetch_add(&counter, 1);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, increment, NULL);
  increment(NULL);
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
