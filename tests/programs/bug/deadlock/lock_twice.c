// A thread that locks a normal mutex a second time waits for itself.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
volatile int depth = 1;

static void enter(void) {
  pthread_mutex_lock(&mutex); // expect: bug deadlock
}

int main(void) {
  enter();
  if (depth)
    enter();
  pthread_mutex_unlock(&mutex);
  return 0;
}
