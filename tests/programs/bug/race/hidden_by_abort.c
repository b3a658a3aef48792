//@ args: --preempt all
// A thread reads and ends the program. The other one has another lock, and takes a while to come to its write.
#include <pthread.h>
#include <stdlib.h>

static int value;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *reader(void *none) {
  pthread_mutex_lock(&locks[1]);
  if (*(volatile int *)&value >= 0) // expect: bug data-race
    abort();                        // expect: bug abort
  pthread_mutex_unlock(&locks[1]);
  return none;
}

static void *writer(void *none) {
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_lock(&locks[0]);
  *(volatile int *)&value = 1;
  pthread_mutex_unlock(&locks[0]);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
