// alarm and setitimer: what was left is told, 0 cancels, and a child dies of its own alarm.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void handler(int signal_) {
  (void)signal_;
  rung++;
}

int main(void) {
  printf("%u\n", alarm(100));
  unsigned left = alarm(50);
  printf("%d\n", left >= 90 && left <= 100);
  left = alarm(0);
  printf("%d\n", left >= 40 && left <= 50);
  printf("%u\n", alarm(0));
  struct itimerval set = {{7, 0}, {1000, 500000}}, old, now;
  printf("%d\n", setitimer(ITIMER_REAL, &set, &old));
  printf("%ld %ld\n", (long)old.it_value.tv_sec, (long)old.it_interval.tv_sec);
  printf("%d\n", getitimer(ITIMER_REAL, &now));
  printf("%d %ld\n", now.it_value.tv_sec >= 900, (long)now.it_interval.tv_sec);
  left = alarm(0);
  printf("%d\n", left >= 900 && left <= 1001);
  set.it_value.tv_usec = 1000000;
  int result = setitimer(ITIMER_REAL, &set, NULL);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  result = setitimer(99, &set, NULL);
  printf("%d %s\n", result, errno == EINVAL ? "EINVAL" : "other");

  sigset_t one, none;
  signal(SIGALRM, handler);
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGALRM);
  sigprocmask(SIG_BLOCK, &one, NULL);
  struct itimerval thrice = {{0, 3000}, {0, 3000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &thrice, NULL);
  while (rung < 3)
    sigsuspend(&none);
  setitimer(ITIMER_REAL, &never, NULL);
  printf("rung %d\n", (int)rung);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    struct itimerval soon = {{0, 0}, {0, 2000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;)
      pause();
  }
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
  return 0;
}
