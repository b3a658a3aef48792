// Real-time signals queue with their values, lowest number first, in order within one; others do not.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int log_[16][2];
static volatile sig_atomic_t used;

static void handler(int signal_, siginfo_t *info, void *context) {
  (void)context;
  log_[used][0] = signal_;
  log_[used++][1] = info->si_value.sival_int;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigset_t all, old;
  sigemptyset(&all);
  int numbers[] = {SIGRTMIN + 3, SIGRTMIN + 1, SIGRTMAX, SIGUSR1};
  for (int i = 0; i < 4; i++) {
    sigaction(numbers[i], &action, NULL);
    sigaddset(&all, numbers[i]);
  }
  sigprocmask(SIG_BLOCK, &all, &old);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 4; i++) {
      union sigval value = {.sival_int = round * 10 + i};
      if (sigqueue(getpid(), numbers[i], value))
        printf("sigqueue failed\n");
    }
  sigprocmask(SIG_SETMASK, &old, NULL);
  for (int i = 0; i < used; i++)
    for (int j = 0; j < 4; j++)
      if (log_[i][0] == numbers[j])
        printf("%s %d\n", (const char *[]){"min+3", "min+1", "max", "usr1"}[j], log_[i][1]);
  union sigval value = {.sival_int = 0};
  int result = sigqueue(getpid(), 65, value);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  result = sigqueue(99999999, SIGUSR1, value);
  printf("%d %s\n", result, errno == ESRCH ? "ESRCH" : "other");
  printf("%d\n", sigqueue(getpid(), 0, value));
  return 0;
}
