// Threads that wait by polling an atomic with sched_yield take turns without blocking.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 6 };

static atomic_int turn;
static int order[THREADS * ROUNDS], used;

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int i = 0; i < ROUNDS; i++) {
    while (atomic_load(&turn) != me)
      sched_yield();
    order[used++] = me;
    atomic_store(&turn, (me + 1) % THREADS);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < used; i++)
    printf("%d", order[i]);
  printf("\n");
  return 0;
}
