// A barrier holds all until the last comes, again and again, and one of them is the serial thread.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 4, SIZE = 16 };

static pthread_barrier_t barrier;
static int data[2][SIZE], serials;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Prefix sums by doubling: each step reads what all others wrote in the step before.
static void *work(void *argument) {
  int me = (int)(intptr_t)argument, from = 0;
  for (int step = 1; step < SIZE; step *= 2, from = 1 - from) {
    for (int i = me; i < SIZE; i += THREADS)
      data[1 - from][i] = data[from][i] + (i >= step ? data[from][i - step] : 0);
    int result = pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex);
    serials += result == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  printf("%s\n", pthread_barrier_init(&barrier, NULL, 0) == EINVAL ? "EINVAL" : "other");
  printf("%d\n", pthread_barrier_init(&barrier, NULL, THREADS));
  for (int i = 0; i < SIZE; i++)
    data[0][i] = i + 1;
  for (intptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < SIZE; i++)
    printf("%d ", data[0][i]);
  printf("\nserials %d, destroy %d\n", serials, pthread_barrier_destroy(&barrier));
  return 0;
}
