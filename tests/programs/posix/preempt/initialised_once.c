//@ args: --preempt 2
// A flag that is exchanged has one first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, times;

static void *start(void *none) {
  if (!atomic_exchange(&done, 1))
    atomic_fetch_add(&times, 1);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, NULL);
  start(NULL);
  pthread_join(thread, NULL);
  assert(times == 1);
  return 0;
}
