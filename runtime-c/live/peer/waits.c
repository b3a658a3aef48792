/* Sleeping, waiting with a time limit, and waiting until a deadline. */
#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Sleeps for a time; returns 0 or an error, and the time that is left. */
static int sleep_for(int64_t ns, int64_t *left) {
  struct timespec time = timespec_of(ns), rest = {0, 0};
  clock_waits();
  int error = NEXT(clock_nanosleep)(CLOCK_MONOTONIC, 0, &time, &rest);
  *left = error == EINTR ? nanoseconds(&rest) : 0;
  if (error == 0 || error == EINTR) clock_slept(ns - *left);
  return error;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  int64_t shown, left;
  bool is_valid = time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND_NS;
  if (!is_valid || !clock_shows(clock, &shown)) return NEXT(clock_nanosleep)(clock, flags, time, rest);
  bool is_deadline = (flags & TIMER_ABSTIME) != 0;
  int64_t ns = nanoseconds(time) - (is_deadline ? shown : 0);
  if (ns <= 0) return 0;
  int error = sleep_for(ns, &left);
  if (error == EINTR && !is_deadline && rest != NULL) *rest = timespec_of(left);
  return error;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *rest) {
  int error = clock_nanosleep(CLOCK_MONOTONIC, 0, time, rest);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

EXPORT unsigned sleep(unsigned seconds) {
  int64_t left;
  sleep_for((int64_t)seconds * SECOND_NS, &left);
  return (left + SECOND_NS - 1) / SECOND_NS;
}

EXPORT int usleep(useconds_t microseconds) {
  struct timespec time = timespec_of((int64_t)microseconds * 1000);
  return nanosleep(&time, NULL);
}

/* A wait begins; without a time limit it is only a look if `ns` is 0. */
static void begin_wait(int64_t ns) {
  if (ns == 0)
    clock_looked();
  else
    clock_waits();
}

/* A wait for some descriptors has returned a number. Without any, it was made to sleep. */
static int end_wait(int ready, int64_t ns, bool has_descriptors) {
  if (ready == 0 && ns > 0) (has_descriptors ? clock_idled : clock_slept)(ns);
  return ready;
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout) {
  int64_t ns = (int64_t)timeout * MILLISECOND_NS;
  begin_wait(ns);
  return end_wait(NEXT(poll)(fds, count, timeout), ns, count > 0);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  int64_t ns = time == NULL ? -1 : nanoseconds(time);
  begin_wait(ns);
  return end_wait(NEXT(ppoll)(fds, count, time, mask), ns, count > 0);
}

/* The same, as programs call them that are compiled with checks of buffers. */
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size) {
  if (size / sizeof *fds < count) __builtin_trap();
  return poll(fds, count, timeout);
}

EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *mask,
                       size_t size) {
  if (size / sizeof *fds < count) __builtin_trap();
  return ppoll(fds, count, time, mask);
}

EXPORT int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                  struct timeval *restrict time) {
  int64_t ns = time == NULL ? -1 : (int64_t)time->tv_sec * SECOND_NS + (int64_t)time->tv_usec * 1000;
  begin_wait(ns);
  return end_wait(NEXT(select)(count, in, out, except, time), ns, count > 0);
}

EXPORT int pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                   const struct timespec *restrict time, const sigset_t *restrict mask) {
  int64_t ns = time == NULL ? -1 : nanoseconds(time);
  begin_wait(ns);
  return end_wait(NEXT(pselect)(count, in, out, except, time, mask), ns, count > 0);
}

EXPORT int epoll_wait(int fd, struct epoll_event *events, int count, int timeout) {
  int64_t ns = (int64_t)timeout * MILLISECOND_NS;
  begin_wait(ns);
  return end_wait(NEXT(epoll_wait)(fd, events, count, timeout), ns, true);
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
  int64_t ns = (int64_t)timeout * MILLISECOND_NS;
  begin_wait(ns);
  return end_wait(NEXT(epoll_pwait)(fd, events, count, timeout, mask), ns, true);
}

EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int count, const struct timespec *time,
                        const sigset_t *mask) {
  int64_t ns = time == NULL ? -1 : nanoseconds(time);
  begin_wait(ns);
  return end_wait(NEXT(epoll_pwait2)(fd, events, count, time, mask), ns, true);
}

/* Calls that wait until a deadline on a clock, and return an error. */
#define UNTIL(clock, deadline, error_of)                                                                       \
  ({                                                                                                           \
    int64_t shown_;                                                                                            \
    struct timespec real = real_deadline(clock, deadline);                                                     \
    int64_t left_ = clock_shows(clock, &shown_) ? nanoseconds(deadline) - shown_ : 0;                          \
    clock_waits();                                                                                             \
    int error_ = (error_of);                                                                                   \
    if (error_ == ETIMEDOUT && left_ > 0) clock_idled(left_);                                                  \
    error_;                                                                                                    \
  })

EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *deadline) {
  return UNTIL(clock, deadline, NEXT(pthread_cond_clockwait)(cond, mutex, clock, &real));
}

/* A condition knows its clock, but does not tell. */
EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict deadline) {
  return pthread_cond_clockwait(cond, mutex, clock_of(deadline), deadline);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  return UNTIL(clock, deadline, NEXT(pthread_mutex_clocklock)(mutex, clock, &real));
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                                   const struct timespec *restrict deadline) {
  return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, deadline);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                                      const struct timespec *restrict deadline) {
  return UNTIL(clock, deadline, NEXT(pthread_rwlock_clockrdlock)(lock, clock, &real));
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                                      const struct timespec *restrict deadline) {
  return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, deadline);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                                      const struct timespec *restrict deadline) {
  return UNTIL(clock, deadline, NEXT(pthread_rwlock_clockwrlock)(lock, clock, &real));
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                                      const struct timespec *restrict deadline) {
  return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, deadline);
}

EXPORT int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                         const struct timespec *restrict deadline) {
  int result = 0;
  UNTIL(clock, deadline, (result = NEXT(sem_clockwait)(semaphore, clock, &real)) == 0 ? 0 : errno);
  return result;
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, deadline);
}

EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old) {
  struct itimerspec real = *new;
  bool is_set = new->it_value.tv_sec != 0 || new->it_value.tv_nsec != 0;
  if ((flags & TFD_TIMER_ABSTIME) != 0 && is_set)
    real.it_value = real_deadline(clock_of(&new->it_value), &new->it_value);
  return NEXT(timerfd_settime)(fd, flags, &real, old);
}
