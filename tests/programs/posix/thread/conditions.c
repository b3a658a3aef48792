// Condition variables: signal wakes at least one, broadcast all; the mutex is held again afterwards.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, arrived = PTHREAD_COND_INITIALIZER;
static int waiting, tickets, passed, held;

static void *work(void *none) {
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_signal(&arrived);
  while (tickets == 0)
    pthread_cond_wait(&go, &mutex);
  held += pthread_mutex_trylock(&mutex) == EBUSY;
  tickets--;
  passed++;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  pthread_t threads[THREADS];
  printf("nobody there: %d", pthread_cond_signal(&go));
  printf(" %d\n", pthread_cond_broadcast(&go));
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  while (waiting < THREADS)
    pthread_cond_wait(&arrived, &mutex);
  printf("waiting %d passed %d\n", waiting, passed);
  tickets = 1;
  pthread_cond_signal(&go);
  while (passed < 1)
    pthread_cond_wait(&arrived, &mutex);
  printf("passed %d tickets %d\n", passed, tickets);
  tickets = 3;
  pthread_cond_broadcast(&go);
  while (passed < THREADS)
    pthread_cond_wait(&arrived, &mutex);
  printf("passed %d tickets %d\n", passed, tickets);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("held %d, destroy %d\n", held, pthread_cond_destroy(&go));
  return 0;
}
