//@ args: --preempt 2
// A condition whose state remembers the signal: no interleaving loses it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int finished;

static void *work(void *none) {
  pthread_mutex_lock(&mutex);
  finished = 1;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  while (!finished)
    pthread_cond_wait(&done, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
