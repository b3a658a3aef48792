/* Attributes and signals of threads that only glibc has. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include "syscall.h"

/* One processor is what there is, and what every thread runs on. */
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t n, const cpu_set_t *set) { return 0; }
int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t n, cpu_set_t *set) {
  memset(set, 255, n);
  return 0;
}
int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *address) { return ENOTSUP; }
int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **address) {
  size_t size;
  int failed = pthread_attr_getstack(attributes, address, &size);
  if (!failed)
    *address = (char *)*address + size;
  return failed;
}
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) { return EINVAL; }
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling) {
  *ceiling = 0;
  return 0;
}
/* Readers go first whatever is asked for. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  return kind < 0 || kind > 2 ? EINVAL : 0;
}
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) {
  *kind = 0;
  return 0;
}
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *object) {
  return pthread_atfork(before, parent, child);
}
