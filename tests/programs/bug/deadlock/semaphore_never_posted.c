// One post for two waits.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *none) {
  sem_post(&done);
  return none;
}

int main(void) {
  pthread_t thread;
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    sem_wait(&done); // expect: bug deadlock
  pthread_join(thread, NULL);
  return 0;
}
