// A barrier for three, and two come.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *none) {
  pthread_barrier_wait(&barrier);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_create(&thread, NULL, work, NULL);
  pthread_barrier_wait(&barrier); // expect: bug deadlock
  pthread_join(thread, NULL);
  return 0;
}
