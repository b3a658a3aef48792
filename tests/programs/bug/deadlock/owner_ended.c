// A thread ends with a lock that nobody will ever give back.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
volatile int early = 1;

static void *work(void *none) {
  pthread_mutex_lock(&mutex);
  if (early)
    return none;
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex); // expect: bug deadlock
  pthread_mutex_unlock(&mutex);
  return 0;
}
