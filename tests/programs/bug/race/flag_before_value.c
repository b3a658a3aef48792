//@ args: --preempt 1
// Double-checked initialisation that raises its flag before the value is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, value;

static void *use(void *none) {
  if (!atomic_load(&ready)) {
    pthread_mutex_lock(&mutex);
    if (!atomic_load(&ready)) {
      atomic_store(&ready, 1);
      atomic_store(&value, 42);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(atomic_load(&value) == 42); // expect: bug assert
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  use(NULL);
  pthread_join(thread, NULL);
  return 0;
}
