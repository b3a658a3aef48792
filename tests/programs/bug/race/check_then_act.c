//@ args: --preempt 1
// The balance is checked under the lock and changed under the lock, but not under one lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int enough(int amount) {
  pthread_mutex_lock(&mutex);
  int result = balance >= amount;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void *withdraw(void *none) {
  if (enough(80)) {
    pthread_mutex_lock(&mutex);
    balance -= 80;
    pthread_mutex_unlock(&mutex);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, withdraw, NULL);
  withdraw(NULL);
  pthread_join(thread, NULL);
  assert(balance >= 0); // expect: bug assert
  return 0;
}
