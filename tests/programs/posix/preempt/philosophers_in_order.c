//@ args: --preempt 2
// Three philosophers who take the lower fork first never starve.
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS];

static void *philosopher(void *argument) {
  intptr_t me = (intptr_t)argument, other = (me + 1) % SEATS;
  intptr_t low = me < other ? me : other, high = me < other ? other : me;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (intptr_t i = 0; i < SEATS; i++)
    pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < SEATS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
