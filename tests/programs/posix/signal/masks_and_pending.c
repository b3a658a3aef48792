// Blocked signals are pending, once each, until they are unblocked, lowest first; masks combine.
#include <errno.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t order[8], used;

static void handler(int signal_) { order[used++ & 7] = signal_; }

static void show(const char *what) {
  sigset_t mask, pending;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigpending(&pending);
  printf("%s: blocked %d%d%d pending %d%d%d caught", what, sigismember(&mask, SIGUSR1),
         sigismember(&mask, SIGUSR2), sigismember(&mask, SIGTERM), sigismember(&pending, SIGUSR1),
         sigismember(&pending, SIGUSR2), sigismember(&pending, SIGTERM));
  for (int i = 0; i < used; i++)
    printf(" %d", (int)order[i]);
  printf("\n");
  used = 0;
}

int main(void) {
  sigset_t one, two, old;
  signal(SIGUSR1, handler);
  signal(SIGUSR2, handler);
  signal(SIGTERM, handler);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigemptyset(&two);
  sigaddset(&two, SIGUSR2);
  sigaddset(&two, SIGTERM);
  show("start");
  sigprocmask(SIG_BLOCK, &one, NULL);
  sigprocmask(SIG_BLOCK, &two, &old);
  printf("%d %d\n", sigismember(&old, SIGUSR1), sigismember(&old, SIGUSR2));
  raise(SIGUSR1);
  raise(SIGUSR1);
  raise(SIGUSR1);
  show("three times");
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  show("unblocked");
  raise(SIGTERM);
  raise(SIGUSR2);
  show("two kinds");
  signal(SIGTERM, SIG_IGN);
  show("ignored while pending");
  sigprocmask(SIG_SETMASK, &one, NULL);
  show("mask set");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  sigprocmask(SIG_SETMASK, NULL, &all);
  printf("kill %d stop %d term %d\n", sigismember(&all, SIGKILL), sigismember(&all, SIGSTOP),
         sigismember(&all, SIGTERM));
  int result = sigprocmask(99, &one, NULL);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  printf("%d", sigaddset(&one, 0));
  printf(" %d", sigaddset(&one, 65));
  printf(" %d\n", sigdelset(&one, SIGUSR1));
  return 0;
}
