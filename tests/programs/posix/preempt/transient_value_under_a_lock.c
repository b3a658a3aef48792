//@ args: --preempt 2
// A value that is wrong for a moment, but only under the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int debt;

static void *transfer(void *none) {
  pthread_mutex_lock(&mutex);
  atomic_fetch_add(&debt, 5);
  atomic_fetch_sub(&debt, 5);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, transfer, NULL);
  pthread_mutex_lock(&mutex);
  assert(atomic_load(&debt) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
