// sigwait, sigwaitinfo and sigtimedwait take pending signals; EAGAIN when time is over, EINVAL.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, int result) {
  const char *error = errno == EAGAIN ? "EAGAIN" : errno == EINVAL ? "EINVAL" : "other";
  printf("%s: %s", what, result < 0 ? error : "");
  if (result >= 0)
    printf("%d", result);
  printf("\n");
}

int main(void) {
  sigset_t set;
  siginfo_t info;
  struct timespec zero = {0, 0}, soon = {0, 3000000}, bad = {0, -1}, long_ = {1000, 0};
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
  say("nothing", sigtimedwait(&set, &info, &zero));
  say("still nothing", sigtimedwait(&set, NULL, &soon));
  say("bad time", sigtimedwait(&set, &info, &bad));
  kill(getpid(), SIGUSR2);
  kill(getpid(), SIGUSR1);
  say("the lower first", sigwaitinfo(&set, &info));
  printf("%d %d\n", info.si_signo == SIGUSR1, info.si_code == SI_USER);
  int taken = 0;
  printf("%d", sigwait(&set, &taken));
  printf(" %d\n", taken == SIGUSR2);
  say("both taken", sigtimedwait(&set, &info, &zero));
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    usleep(2000);
    union sigval value = {.sival_int = 5};
    sigqueue(getppid(), SIGUSR2, value);
    _exit(3);
  }
  say("from a child", sigwaitinfo(&set, &info));
  printf("%d %d\n", info.si_pid == child, info.si_value.sival_int);
  say("its end", sigtimedwait(&set, &info, &long_) == SIGCHLD ? 0 : -1);
  printf("%d %d %d\n", info.si_code == CLD_EXITED, info.si_status, info.si_pid == child);
  waitpid(child, NULL, 0);
  return 0;
}
