//@ native: yes
// Waits until a time of the monotonic clock, and attributes of threads that only glibc has.
#include "../check.h"
#include <pthread.h>
#include <signal.h>
#include <semaphore.h>
#include <time.h>
#ifndef __GLIBC__
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
int pthread_clockjoin_np(pthread_t, void **, clockid_t, const struct timespec *);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
int pthread_sigqueue(pthread_t, int, const union sigval);
#endif

static void *sleeper(void *arg) {
  struct timespec second = {1, 0};
  nanosleep(&second, 0);
  return arg;
}
static volatile int got;
static void note(int number, siginfo_t *info, void *context) { got = info->si_value.sival_int; }

int main(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  at.tv_nsec += 50000000;
  if (at.tv_nsec >= 1000000000)
    at.tv_sec++, at.tv_nsec -= 1000000000;
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &at));
  SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &at));
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  NUM(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &at));
  IS(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &at) == ETIMEDOUT);
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, sleeper, &lock);
  IS(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &at) == ETIMEDOUT);
  at.tv_sec += 100;
  NUM(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &at));
  IS(result == &lock);
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  NUM(pthread_rwlockattr_setkind_np(&attributes, 1));
  IS(pthread_rwlockattr_setkind_np(&attributes, 9) == EINVAL);
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  union sigval value = {.sival_int = 77};
  NUM(pthread_sigqueue(pthread_self(), SIGUSR1, value));
  NUM(got);
  return 0;
}
