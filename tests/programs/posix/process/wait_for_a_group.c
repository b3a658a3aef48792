// waitpid(0) and waitpid(-group) take only children of that group.
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start(int code, int own_group) {
  pid_t child = fork();
  if (child == 0) {
    if (own_group)
      setpgid(0, 0);
    _exit(code);
  }
  if (own_group)
    setpgid(child, child);
  return child;
}

int main(void) {
  int status;
  pid_t here = start(1, 0), there = start(2, 1);
  pid_t got = waitpid(0, &status, 0);
  printf("%d %d\n", got == here, WEXITSTATUS(status));
  got = waitpid(0, &status, WNOHANG);
  printf("%d %s\n", got, errno == ECHILD ? "ECHILD" : "other");
  got = waitpid(-there, &status, 0);
  printf("%d %d\n", got == there, WEXITSTATUS(status));
  got = waitpid(-there, &status, 0);
  printf("%d %s\n", got, errno == ECHILD ? "ECHILD" : "other");
  return 0;
}
