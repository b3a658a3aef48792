// Read-write locks: readers together, a writer alone, tries are EBUSY, deadlines ETIMEDOUT.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t meet;
static int value;

static const char *name(int error) {
  return error == 0 ? "ok" : error == EBUSY ? "EBUSY" : error == ETIMEDOUT ? "ETIMEDOUT" : "other";
}

static void *stranger(void *none) {
  struct timespec past = {0, 0};
  int error = pthread_rwlock_tryrdlock(&lock);
  printf("  try read: %s\n", name(error));
  if (error == 0)
    pthread_rwlock_unlock(&lock);
  error = pthread_rwlock_timedrdlock(&lock, &past);
  printf("  timed read: %s\n", name(error));
  if (error == 0)
    pthread_rwlock_unlock(&lock);
  error = pthread_rwlock_trywrlock(&lock);
  printf("  try write: %s\n", name(error));
  if (error == 0)
    pthread_rwlock_unlock(&lock);
  error = pthread_rwlock_timedwrlock(&lock, &past);
  printf("  timed write: %s\n", name(error));
  if (error == 0)
    pthread_rwlock_unlock(&lock);
  return none;
}

static void probe(const char *what) {
  pthread_t thread;
  printf("%s\n", what);
  pthread_create(&thread, NULL, stranger, NULL);
  pthread_join(thread, NULL);
}

static void *reader(void *none) {
  pthread_rwlock_rdlock(&lock);
  // Only readers that hold it at the same time can meet here.
  pthread_barrier_wait(&meet);
  pthread_rwlock_unlock(&lock);
  return none;
}

static void *writer(void *none) {
  for (int i = 0; i < 20; i++) {
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t threads[3];
  probe("free");
  pthread_rwlock_rdlock(&lock);
  probe("one reader");
  printf("again: %s\n", name(pthread_rwlock_tryrdlock(&lock)));
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  probe("a writer");
  printf("own tries: %s", name(pthread_rwlock_trywrlock(&lock)));
  printf(" %s\n", name(pthread_rwlock_tryrdlock(&lock)));
  pthread_rwlock_unlock(&lock);
  probe("free again");
  pthread_barrier_init(&meet, NULL, 3);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("readers met\n");
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, writer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d, destroy %s\n", value, name(pthread_rwlock_destroy(&lock)));
  return 0;
}
