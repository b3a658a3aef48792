// Readers under a read-write lock never see half of what a writer does.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int first, second;
static int torn[3];

static void *write_(void *none) {
  for (int i = 0; i < 15; i++) {
    pthread_rwlock_wrlock(&lock);
    first++;
    sched_yield();
    second++;
    pthread_rwlock_unlock(&lock);
  }
  return none;
}

static void *read_(void *count) {
  for (int i = 0; i < 15; i++) {
    pthread_rwlock_rdlock(&lock);
    int seen = first;
    sched_yield();
    *(int *)count += seen != second;
    pthread_rwlock_unlock(&lock);
    sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t readers[3], writers[2];
  for (int i = 0; i < 3; i++)
    pthread_create(&readers[i], NULL, read_, &torn[i]);
  for (int i = 0; i < 2; i++)
    pthread_create(&writers[i], NULL, write_, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(readers[i], NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(writers[i], NULL);
  printf("%d %d, torn %d\n", first, second, torn[0] + torn[1] + torn[2]);
  return 0;
}
