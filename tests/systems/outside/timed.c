/* Waits that end because time is up, and a lock that two threads want. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static struct timespec later(int seconds) {
  struct timespec time;
  assert(clock_gettime(CLOCK_REALTIME, &time) == 0);
  time.tv_sec += seconds;
  return time;
}

static void *hold(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_barrier_wait(&barrier);
  sleep(3);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t holder;
  sem_t empty;
  struct timespec start = later(0), end = later(1);
  assert(sem_init(&empty, 0, 0) == 0 && pthread_barrier_init(&barrier, NULL, 2) == 0);
  assert(sem_timedwait(&empty, &end) == -1 && errno == ETIMEDOUT);
  end = later(1);
  pthread_mutex_lock(&lock);
  assert(pthread_cond_timedwait(&never, &lock, &end) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  assert(pthread_create(&holder, NULL, hold, NULL) == 0);
  pthread_barrier_wait(&barrier);
  end = later(1);
  assert(pthread_mutex_timedlock(&lock, &end) == ETIMEDOUT);
  pthread_mutex_lock(&lock);
  assert(pthread_join(holder, NULL) == 0);
  assert(later(0).tv_sec - start.tv_sec != 5); // mark: guilty
  return 0;
}
