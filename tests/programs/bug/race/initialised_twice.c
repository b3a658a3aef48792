//@ args: --preempt 1
// A flag that is read and then written lets both threads be the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, times;

static void *start(void *none) {
  if (!atomic_load(&done)) {
    atomic_fetch_add(&times, 1);
    atomic_store(&done, 1);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, NULL);
  start(NULL);
  pthread_join(thread, NULL);
  assert(times == 1); // expect: bug assert
  return 0;
}
