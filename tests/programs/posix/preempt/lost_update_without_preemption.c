//@ native: no
// Load and store are atomic each but not together; without preemption nothing comes between them.
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
  assert(counter == 2);
  return 0;
}
