// SA_SIGINFO tells who sent a signal and how: kill, raise, sigqueue with its value, a child's end.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static siginfo_t seen;
static volatile sig_atomic_t caught;

static void handler(int signal_, siginfo_t *info, void *context) {
  if (context && signal_ == info->si_signo)
    seen = *info;
  caught++;
}

static void show(const char *what, pid_t from) {
  const char *code = seen.si_code == SI_USER    ? "user"
                     : seen.si_code == SI_QUEUE ? "queue"
                     : seen.si_code == SI_TKILL ? "tkill"
                                                : "other";
  printf("%s: %d signal %d code %s sender %d uid %d", what, (int)caught, seen.si_signo, code,
         seen.si_pid == from, seen.si_uid == getuid());
  if (seen.si_code == SI_QUEUE)
    printf(" value %d", seen.si_value.sival_int);
  printf("\n");
  fflush(stdout);
  caught = 0;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, NULL);
  pid_t me = getpid();
  kill(me, SIGUSR1);
  show("kill", me);
  raise(SIGUSR1);
  show("raise", me);
  union sigval value = {.sival_int = -77};
  printf("%d\n", sigqueue(me, SIGUSR1, value));
  show("sigqueue", me);
  sigset_t one, none;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  pid_t child = fork();
  if (child == 0) {
    value.sival_int = 12345;
    _exit(sigqueue(me, SIGUSR1, value) == 0 ? 0 : 1);
  }
  sigsuspend(&none);
  show("sigqueue of a child", child);
  waitpid(child, NULL, 0);
  if ((child = fork()) == 0)
    _exit(kill(me, SIGUSR1));
  sigsuspend(&none);
  show("kill of a child", child);
  waitpid(child, NULL, 0);
  return 0;
}
