//@ args: --preempt 1
// Three philosophers who all take their left fork first starve. One preemption is enough: then each waits for the next one.
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS];

static void *philosopher(void *argument) {
  intptr_t me = (intptr_t)argument;
  pthread_mutex_lock(&forks[me]);
  pthread_mutex_lock(&forks[(me + 1) % SEATS]);
  pthread_mutex_unlock(&forks[(me + 1) % SEATS]);
  pthread_mutex_unlock(&forks[me]);
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (intptr_t i = 0; i < SEATS; i++)
    pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < SEATS; i++)
    pthread_join(threads[i], NULL); // expect: bug deadlock
  return 0;
}
