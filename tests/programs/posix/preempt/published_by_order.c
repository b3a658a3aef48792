//@ args: --preempt all
// Values that are published by a release and an acquire, by fences around relaxed accesses, and through an update that goes on
// with what was released: no races.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile int first, second, third;
static atomic_int acquired, fenced, counted;

static void *sender(void *none) {
  first = 1;
  atomic_store_explicit(&acquired, 1, memory_order_release);
  second = 2;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&fenced, 1, memory_order_relaxed);
  third = 3;
  atomic_fetch_add_explicit(&counted, 1, memory_order_release);
  atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
  return none;
}

static void *receiver(void *none) {
  if (atomic_load_explicit(&acquired, memory_order_acquire)) assert(first == 1);
  if (atomic_load_explicit(&fenced, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    assert(second == 2);
  }
  int two = 2;
  if (atomic_compare_exchange_strong_explicit(&counted, &two, 5, memory_order_acquire, memory_order_relaxed))
    assert(third == 3);
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
