/* A signal with a value to one thread. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "pthread_impl.h"
#include "syscall.h"

int pthread_sigqueue(pthread_t thread, int number, const union sigval value) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = number;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value = value;
  return -__syscall(SYS_rt_tgsigqueueinfo, info.si_pid, thread->tid, number, &info);
}
