// Five philosophers who take the lower fork first all eat, and no fork is ever in two hands.
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

enum { SEATS = 5, MEALS = 6 };

static pthread_mutex_t forks[SEATS];
static volatile int in_hands[SEATS];
static int meals[SEATS], clashes[SEATS];

static void *philosopher(void *argument) {
  int me = (int)(intptr_t)argument, left = me, right = (me + 1) % SEATS;
  int low = left < right ? left : right, high = left < right ? right : left;
  for (int i = 0; i < MEALS; i++) {
    pthread_mutex_lock(&forks[low]);
    sched_yield();
    pthread_mutex_lock(&forks[high]);
    clashes[me] += in_hands[low]++ + in_hands[high]++;
    sched_yield();
    meals[me]++;
    in_hands[low]--;
    in_hands[high]--;
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  int clash = 0;
  for (int i = 0; i < SEATS; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (intptr_t i = 0; i < SEATS; i++)
    pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < SEATS; i++) {
    pthread_join(threads[i], NULL);
    clash += clashes[i];
    printf("%d ", meals[i]);
  }
  printf("clashes %d\n", clash);
  return 0;
}
