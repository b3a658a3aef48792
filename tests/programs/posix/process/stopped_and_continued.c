// WUNTRACED and WCONTINUED: a child stops itself, is continued, is stopped from outside, is killed.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *what, pid_t child, int options) {
  int status = 0;
  pid_t got = waitpid(child, &status, options);
  printf("%s: %d", what, got == child);
  if (WIFEXITED(status))
    printf(" exited %d", WEXITSTATUS(status));
  if (WIFSIGNALED(status))
    printf(" killed by %d", WTERMSIG(status));
  if (WIFSTOPPED(status))
    printf(" stopped by %d", WSTOPSIG(status));
  if (WIFCONTINUED(status))
    printf(" continued");
  printf("\n");
  fflush(stdout);
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    raise(SIGSTOP);
    for (;;)
      pause();
  }
  show("stops", child, WUNTRACED);
  kill(child, SIGCONT);
  show("stops again", child, WUNTRACED);
  kill(child, SIGCONT);
  show("continues", child, WCONTINUED);
  kill(child, SIGSTOP);
  show("stops", child, WUNTRACED);
  kill(child, SIGTERM);
  kill(child, SIGCONT);
  show("ends", child, 0);
  if ((child = fork()) == 0) {
    raise(SIGSTOP);
    _exit(5);
  }
  show("stops", child, WUNTRACED);
  kill(child, SIGKILL);
  show("a stopped one can be killed", child, WUNTRACED);
  return 0;
}
