// A mutex makes read, yield and write one step for several threads.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 30 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int total, inside, crowded;

static void *work(void *none) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&mutex);
    crowded += inside++;
    int seen = total;
    sched_yield();
    total = seen + 1;
    inside--;
    pthread_mutex_unlock(&mutex);
  }
  return none;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%d %d\n", total, crowded);
  return 0;
}
