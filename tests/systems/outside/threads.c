/* A producer and a consumer with a lock and a condition; two threads whose additions are not atomic. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int item, total;
static sem_t done;

static void *consume(void *argument) {
  pthread_mutex_lock(&lock);
  while (item == 0) pthread_cond_wait(&filled, &lock);
  item--;
  pthread_mutex_unlock(&lock);
  sem_post(&done);
  return argument;
}

static void *add(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = total;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  total = seen + 1;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t consumer, adders[2];
  assert(sem_init(&done, 0, 0) == 0);
  assert(pthread_create(&consumer, NULL, consume, NULL) == 0);
  pthread_mutex_lock(&lock);
  item++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  assert(sem_wait(&done) == 0);
  assert(pthread_join(consumer, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&adders[i], NULL, add, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(adders[i], NULL) == 0);
  assert(total == 2); // mark: lost
  return 0;
}
