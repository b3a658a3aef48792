//@ args: --preempt 1
// Load and store are atomic each, but not together: one of two increments can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *none) {
  int seen = atomic_load(&counter);
  atomic_store(&counter, seen + 1);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, increment, NULL);
  increment(NULL);
  pthread_join(thread, NULL);
  assert(counter == 2); // expect: bug assert
  return 0;
}
