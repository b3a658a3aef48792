// SIGCHLD: what its siginfo says of children that exit, are killed, stop and continue; SA_NOCLDSTOP.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static siginfo_t seen;
static volatile sig_atomic_t caught;
static sigset_t none;

static void handler(int signal_, siginfo_t *info, void *context) {
  (void)context;
  caught += signal_ == SIGCHLD;
  seen = *info;
}

static void await(const char *what, pid_t child) {
  while (!caught)
    sigsuspend(&none);
  const char *code = seen.si_code == CLD_EXITED      ? "exited"
                     : seen.si_code == CLD_KILLED    ? "killed"
                     : seen.si_code == CLD_STOPPED   ? "stopped"
                     : seen.si_code == CLD_CONTINUED ? "continued"
                                                     : "other";
  printf("%s: %d, child %d %s %d\n", what, (int)caught, seen.si_pid == child, code, seen.si_status);
  fflush(stdout);
  caught = 0;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigset_t one;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGCHLD);
  sigprocmask(SIG_BLOCK, &one, NULL);
  sigaction(SIGCHLD, &action, NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(9);
  await("exit", child);
  waitpid(child, NULL, 0);
  if ((child = fork()) == 0)
    for (;;)
      pause();
  kill(child, SIGSTOP);
  await("stop", child);
  kill(child, SIGCONT);
  await("continue", child);
  kill(child, SIGKILL);
  await("kill", child);
  waitpid(child, NULL, 0);
  action.sa_flags |= SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, NULL);
  if ((child = fork()) == 0)
    for (;;)
      pause();
  int status;
  kill(child, SIGSTOP);
  waitpid(child, &status, WUNTRACED);
  sigset_t pending;
  sigpending(&pending);
  printf("stopped %d, told %d\n", WIFSTOPPED(status), sigismember(&pending, SIGCHLD));
  kill(child, SIGKILL);
  await("kill", child);
  waitpid(child, NULL, 0);
  return 0;
}
