//@ args: --preempt 2
// The balance is checked and changed under one lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *none) {
  pthread_mutex_lock(&mutex);
  if (balance >= 80)
    balance -= 80;
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, withdraw, NULL);
  withdraw(NULL);
  pthread_join(thread, NULL);
  assert(balance >= 0);
  return 0;
}
