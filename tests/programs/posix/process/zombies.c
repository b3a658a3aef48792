// An ended child is still a process until it is waited for; then its pid is nobody's.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, int result) {
  printf("%s: %s\n", what, result < 0 ? errno == ESRCH ? "ESRCH" : "other" : "ok");
}

int main(void) {
  siginfo_t info;
  pid_t child = fork();
  if (child == 0)
    _exit(6);
  waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
  say("probe", kill(child, 0));
  say("kill", kill(child, SIGKILL));
  int status;
  printf("%d\n", waitpid(child, &status, 0) == child);
  printf("exited %d, not killed: %d\n", WIFEXITED(status), WEXITSTATUS(status));
  say("probe", kill(child, 0));
  say("kill", kill(child, SIGKILL));
  return 0;
}
