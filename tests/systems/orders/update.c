/* Two threads pay into one account. A careless program adds without a lock: both threads may read the old balance,
 * and one payment is lost. This is a data race, too. A careful program adds under a lock. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int careful;
static volatile int balance = 100;

static void *pay(void *amount) {
  if (careful) pthread_mutex_lock(&mutex);
  int seen = balance; // mark: look
  balance = seen + *(int *)amount; // mark: race
  if (careful) pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  careful = strcmp(argv[1], "careful") == 0;
  int amounts[] = {10, 20};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, pay, &amounts[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(balance == 130); // mark: lost
  return 0;
}
