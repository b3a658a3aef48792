//@ native: no
// Two threads take two locks in opposite order, but no preemption is explored: nothing happens.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *there(void *none) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  moved++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, there, NULL);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  moved++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(thread, NULL);
  return moved - 2;
}
