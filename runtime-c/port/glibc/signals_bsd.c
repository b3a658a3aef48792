/* Signals as BSD and System V had them. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>

static int first_word(const sigset_t *set) { return *(const unsigned long *)set; }
static void from_word(sigset_t *set, int mask) {
  sigemptyset(set);
  *(unsigned long *)set = (unsigned)mask;
}

static int change(int how, int mask) {
  sigset_t set, old;
  from_word(&set, mask);
  return sigprocmask(how, &set, &old) ? -1 : first_word(&old);
}
int sigblock(int mask) { return change(SIG_BLOCK, mask); }
int sigsetmask(int mask) { return change(SIG_SETMASK, mask); }
int siggetmask(void) { return sigblock(0); }

/* System V's names a signal, and BSD's a mask. */
int __xpg_sigpause(int number) { return sigpause(number); }
int __sigpause(int value, int is_signal) {
  if (is_signal)
    return sigpause(value);
  sigset_t set;
  from_word(&set, value);
  return sigsuspend(&set);
}

int gsignal(int number) { return raise(number); }
void (*ssignal(int number, void (*handler)(int)))(int) { return signal(number, handler); }
/* The handler is for one signal, which is not blocked meanwhile. */
void (*sysv_signal(int number, void (*handler)(int)))(int) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESETHAND | SA_NODEFER}, old;
  return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}
