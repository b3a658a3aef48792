// Three threads wait in a circle for each other to end, and main for something that none of them does.
#include <pthread.h>
#include <semaphore.h>

static pthread_t threads[3];
static sem_t known;

static void *wait_for(void *other) {
  sem_wait(&known);
  pthread_join(*(pthread_t *)other, NULL);
  return NULL;
}

int main(void) {
  sem_init(&known, 0, 0);
  pthread_create(&threads[0], NULL, wait_for, &threads[1]);
  pthread_create(&threads[1], NULL, wait_for, &threads[2]);
  pthread_create(&threads[2], NULL, wait_for, &threads[0]);
  for (int i = 0; i < 3; i++)
    sem_post(&known);
  sem_t never;
  sem_init(&never, 0, 0);
  sem_wait(&never); // expect: bug deadlock
  return 0;
}
