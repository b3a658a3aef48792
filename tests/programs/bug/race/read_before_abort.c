//@ args: --preempt all
// A thread reads what another one writes atomically, and then nothing comes by which threads communicate.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *none) {
  pthread_mutex_lock(&lock);
  if (*(volatile int *)&value >= 0) // expect: bug data-race
    abort();                        // expect: bug abort
  pthread_mutex_unlock(&lock);
  return none;
}

static void *writer(void *none) {
  atomic_store(&value, 1);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
