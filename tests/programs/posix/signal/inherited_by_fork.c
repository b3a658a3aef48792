// fork: handlers and the mask are inherited, pending signals and alarms are not.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) {
  (void)signal_;
  caught++;
}

static void show(const char *who) {
  sigset_t mask, pending;
  struct sigaction one, two;
  struct itimerval timer;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigpending(&pending);
  sigaction(SIGUSR1, NULL, &one);
  sigaction(SIGUSR2, NULL, &two);
  getitimer(ITIMER_REAL, &timer);
  printf("%s: blocked %d pending %d handler %d ignored %d alarm %d caught %d\n", who,
         sigismember(&mask, SIGUSR1), sigismember(&pending, SIGUSR1), one.sa_handler == handler,
         two.sa_handler == SIG_IGN, timer.it_value.tv_sec > 0, (int)caught);
  fflush(stdout);
}

int main(void) {
  sigset_t set;
  signal(SIGUSR1, handler);
  signal(SIGUSR2, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  alarm(1000);
  raise(SIGUSR1);
  show("parent");
  if (fork() == 0) {
    show("child");
    raise(SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    signal(SIGUSR1, SIG_DFL);
    show("child");
    _exit(0);
  }
  wait(NULL);
  show("parent");
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  show("parent");
  return 0;
}
