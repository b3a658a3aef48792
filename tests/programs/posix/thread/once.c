// pthread_once runs its function once, and whoever comes meanwhile waits for it to be done.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, value, unready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void prepare(void) {
  calls++;
  usleep(3000);
  value = 42;
}

static void *use(void *none) {
  pthread_once(&once, prepare);
  pthread_mutex_lock(&mutex);
  unready += value != 42;
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  pthread_t threads[5];
  for (int i = 0; i < 5; i++)
    pthread_create(&threads[i], NULL, use, NULL);
  use(NULL);
  for (int i = 0; i < 5; i++)
    pthread_join(threads[i], NULL);
  printf("%d", pthread_once(&once, prepare));
  printf(" calls %d unready %d\n", calls, unready);
  return 0;
}
