//@ args: --check races
// A value is published by an atomic flag with relaxed order, which promises nothing about the value. The race is found in the
// fixed order of threads, in which the flag is seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile int value;
static atomic_int ready;

static void *sender(void *none) {
  value = 7;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return none;
}

static void *receiver(void *none) {
  if (atomic_load_explicit(&ready, memory_order_acquire))
    assert(value == 7); // expect: bug data-race
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
