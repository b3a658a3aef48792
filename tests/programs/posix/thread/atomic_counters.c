// C11 atomics: counters, a compare-exchange loop, an exchange as a lock, a flag that publishes data.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 50 };

static atomic_int sum, largest, lock;
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_bool ready;
static int protected_, published, winners;
static atomic_int seen;

static void *work(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < ROUNDS; i++) {
    atomic_fetch_add(&sum, me);
    int now = atomic_load(&largest), mine = me * 1000 + i;
    while (now < mine && !atomic_compare_exchange_weak(&largest, &now, mine))
      continue;
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
      sched_yield();
    protected_++;
    atomic_store_explicit(&lock, 0, memory_order_release);
  }
  if (!atomic_flag_test_and_set(&taken))
    winners++;
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    sched_yield();
  atomic_fetch_add_explicit(&seen, published, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i + 1;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  published = 11;
  atomic_store_explicit(&ready, 1, memory_order_release);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d %d %d %d\n", sum, largest, protected_, winners, seen);
  return 0;
}
