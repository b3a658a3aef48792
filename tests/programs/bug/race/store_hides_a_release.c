//@ args: --preempt all
// A relaxed store over a released flag: who reads the later store has not acquired the value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile int value;
static atomic_int ready;

static void *sender(void *none) {
  value = 7;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return none;
}

static void *meddler(void *none) {
  if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
    atomic_store_explicit(&ready, 2, memory_order_relaxed);
  return none;
}

static void *receiver(void *none) {
  if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
    assert(value == 7); // expect: bug data-race
  return none;
}

int main(void) {
  pthread_t threads[3];
  void *(*bodies[])(void *) = {sender, meddler, receiver};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
