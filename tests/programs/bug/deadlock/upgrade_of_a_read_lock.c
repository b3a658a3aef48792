// A reader that asks to write waits for all readers to leave, itself among them.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
volatile int stale = 1;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  if (stale)
    pthread_rwlock_wrlock(&lock); // expect: bug deadlock
  pthread_rwlock_unlock(&lock);
  return 0;
}
