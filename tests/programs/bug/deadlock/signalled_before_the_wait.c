// The signal always comes first and is forgotten: no preemption is needed.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *work(void *none) {
  pthread_cond_signal(&done);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&done, &mutex); // expect: bug deadlock
  pthread_mutex_unlock(&mutex);
  return 0;
}
