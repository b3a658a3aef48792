/* Cancelling threads.
 *
 * musl finds out by the program counter whether a signal came before or during a system call. Here the
 * handler only interrupts: a call that waits then fails with EINTR and its caller looks at the flag. A
 * thread that may not be cancelled just now makes the interrupted call again.
 *
 * `sysinfo` of a thread, which this machine has no other use for, says that the signal came. */
#define _GNU_SOURCE
#include <string.h>
#include "pthread_impl.h"
#include "syscall.h"

long __cancel(void) {
  pthread_t self = __pthread_self();
  if (self->canceldisable == PTHREAD_CANCEL_ENABLE || self->cancelasync)
    pthread_exit(PTHREAD_CANCELED);
  self->canceldisable = PTHREAD_CANCEL_DISABLE;
  return -ECANCELED;
}

hidden long __syscall_cp_c(syscall_arg_t n, syscall_arg_t a, syscall_arg_t b, syscall_arg_t c,
                           syscall_arg_t d, syscall_arg_t e, syscall_arg_t f) {
  pthread_t self = __pthread_self();
  for (;;) {
    int state = self->canceldisable;
    int closing = n == SYS_close;
    int deaf = state == PTHREAD_CANCEL_DISABLE || (state && closing);
    self->sysinfo = 0;
    if (!deaf && self->cancel)
      return __cancel();
    long result = __syscall(n, a, b, c, d, e, f);
    if (result != -EINTR || closing)
      return result;
    if (self->cancel && self->canceldisable != PTHREAD_CANCEL_DISABLE)
      return __cancel();
    if (!self->sysinfo)
      return result;
  }
}

void __testcancel(void) {
  pthread_t self = __pthread_self();
  if (self->cancel && !self->canceldisable)
    __cancel();
}

static void on_cancel(int sig, siginfo_t *info, void *context) {
  pthread_t self = __pthread_self();
  self->sysinfo = 1;
  if (self->cancel && self->cancelasync && self->canceldisable != PTHREAD_CANCEL_DISABLE)
    __cancel();
}

int pthread_cancel(pthread_t thread) {
  static int ready;
  if (!ready) {
    struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = on_cancel};
    memset(&action.sa_mask, -1, _NSIG / 8);
    __libc_sigaction(SIGCANCEL, &action, 0);
    ready = 1;
  }
  a_store(&thread->cancel, 1);
  if (thread != pthread_self())
    return pthread_kill(thread, SIGCANCEL);
  if (thread->canceldisable == PTHREAD_CANCEL_ENABLE && thread->cancelasync)
    pthread_exit(PTHREAD_CANCELED);
  return 0;
}
