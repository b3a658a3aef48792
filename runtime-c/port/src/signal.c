/* Where a signal's handler is called from.
 *
 * The engine enters this function on top of whatever was interrupted, with the mask in force being that
 * of the handler, and with the mask to go back to. `value` is what the signal carries: the value that was
 * queued, a child's status, a timer's overrun, or the address of a fault. */
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>
#include "syscall.h"

/* musl names the return path of handlers to the kernel; ours needs none. */
hidden void __restore_rt(void) { __builtin_trap(); }

static void describe(siginfo_t *info, int sig, int code, int pid, unsigned uid, long value) {
  info->si_signo = sig;
  info->si_code = code;
  if (code > 0 && (sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP)) {
    info->si_addr = (void *)value;
    return;
  }
  if (code == SI_TIMER) {
    info->si_timerid = pid;
    info->si_overrun = uid;
  } else {
    info->si_pid = pid;
    info->si_uid = uid;
  }
  if (sig == SIGCHLD && code > 0)
    info->si_status = value;
  else
    info->si_value.sival_ptr = (void *)value;
}

void __everett_signal(void (*handler)(), int sig, int code, int pid, unsigned uid, long value,
                      unsigned long mask, unsigned long flags) {
  if (flags & SA_SIGINFO) {
    siginfo_t info = {0};
    ucontext_t context = {0};
    describe(&info, sig, code, pid, uid, value);
    context.uc_sigmask.__bits[0] = mask;
    ((void (*)(int, siginfo_t *, void *))handler)(sig, &info, &context);
    mask = context.uc_sigmask.__bits[0];
  } else {
    ((void (*)(int))handler)(sig);
  }
  __syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, _NSIG / 8);
}
