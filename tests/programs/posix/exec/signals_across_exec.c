// exec keeps the mask, pending signals and what is ignored; handlers become the default.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int signal_) { (void)signal_; }

static const char *action(int signal_) {
  struct sigaction now;
  sigaction(signal_, NULL, &now);
  return now.sa_handler == SIG_DFL ? "default" : now.sa_handler == SIG_IGN ? "ignored" : "handled";
}

static void show(const char *when) {
  sigset_t mask, pending;
  struct itimerval timer;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigpending(&pending);
  getitimer(ITIMER_REAL, &timer);
  printf("%s: USR1 %s, USR2 %s, TERM %s, blocked %d%d, pending %d%d, alarm %d\n", when, action(SIGUSR1),
         action(SIGUSR2), action(SIGTERM), sigismember(&mask, SIGUSR1), sigismember(&mask, SIGUSR2),
         sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2), timer.it_value.tv_sec > 0);
  fflush(stdout);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    show("after");
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("never: the pending signal is deadly\n");
    return 0;
  }
  pid_t child = fork();
  if (child == 0) {
    signal(SIGUSR1, handler);
    signal(SIGUSR2, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    alarm(1000);
    show("before");
    execl("/proc/self/exe", "x", "again", NULL);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  printf("killed by USR1: %d\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
  return 0;
}
