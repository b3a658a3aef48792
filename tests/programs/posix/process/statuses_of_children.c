// The status that wait gives: exit codes modulo 256, deadly signals, by exit, _exit, return and raise.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *what, pid_t child) {
  int status = -1;
  pid_t got = waitpid(child, &status, 0);
  printf("%s: %d |", what, got == child);
  if (WIFEXITED(status))
    printf(" exited %d", WEXITSTATUS(status));
  if (WIFSIGNALED(status))
    printf(" signalled %d", WTERMSIG(status));
  printf(" | %d %d\n", !!WIFSTOPPED(status), !!WIFCONTINUED(status));
  fflush(stdout);
}

int main(void) {
  pid_t child;
  int codes[] = {0, 1, 42, 255, 256, 259, -1};
  for (int i = 0; i < 7; i++) {
    if ((child = fork()) == 0)
      i % 2 ? exit(codes[i]) : _exit(codes[i]);
    show("exit", child);
  }
  int signals[] = {SIGHUP, SIGINT, SIGKILL, SIGTERM, SIGUSR1, SIGALRM, SIGPIPE, SIGVTALRM, SIGPROF, SIGIO};
  for (int i = 0; i < 10; i++) {
    if ((child = fork()) == 0) {
      raise(signals[i]);
      _exit(99);
    }
    show("raise", child);
  }
  int harmless[] = {SIGCHLD, SIGURG, SIGWINCH, SIGCONT};
  for (int i = 0; i < 4; i++) {
    if ((child = fork()) == 0) {
      raise(harmless[i]);
      _exit(98);
    }
    show("harmless", child);
  }
  if ((child = fork()) == 0)
    return 17;
  show("return", child);
  return 0;
}
