/* Waiting for threads until a time of a clock that the caller names: the time is turned into one of the
 * realtime clock, which runs as fast. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static int to_realtime(clockid_t clock, const struct timespec *at, struct timespec *to) {
  struct timespec there, here;
  if (clock == CLOCK_REALTIME) {
    *to = *at;
    return 0;
  }
  if (clock != CLOCK_MONOTONIC || at->tv_nsec < 0 || at->tv_nsec >= 1000000000)
    return EINVAL;
  clock_gettime(CLOCK_MONOTONIC, &there);
  clock_gettime(CLOCK_REALTIME, &here);
  to->tv_sec = here.tv_sec + at->tv_sec - there.tv_sec;
  to->tv_nsec = here.tv_nsec + at->tv_nsec - there.tv_nsec;
  for (; to->tv_nsec < 0; to->tv_nsec += 1000000000)
    to->tv_sec--;
  for (; to->tv_nsec >= 1000000000; to->tv_nsec -= 1000000000)
    to->tv_sec++;
  return 0;
}
#define UNTIL(call)                            \
  struct timespec until;                       \
  int failed = to_realtime(clock, at, &until); \
  return failed ? failed : (call)

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *at) {
  UNTIL(pthread_rwlock_timedrdlock(lock, &until));
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *at) {
  UNTIL(pthread_rwlock_timedwrlock(lock, &until));
}
int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *at) {
  UNTIL(pthread_mutex_timedlock(lock, &until));
}
int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *lock, clockid_t clock,
                           const struct timespec *at) {
  UNTIL(pthread_cond_timedwait(cond, lock, &until));
}
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *at) {
  if (!at)
    return pthread_join(thread, result);
  UNTIL(pthread_timedjoin_np(thread, result, &until));
}
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *at) {
  struct timespec until;
  if (to_realtime(clock, at, &until)) {
    errno = EINVAL;
    return -1;
  }
  return sem_timedwait(semaphore, &until);
}
