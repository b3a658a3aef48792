// ECHILD without children or for another's, EINVAL for bad options, 0 for WNOHANG while it runs.
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, pid_t result) {
  const char *error = errno == ECHILD   ? "ECHILD"
                      : errno == EINVAL ? "EINVAL"
                      : errno == ESRCH  ? "ESRCH"
                                        : "other";
  printf("%s: %s\n", what, result < 0 ? error : result ? "a child" : "none yet");
}

int main(void) {
  int go[2], status = 1234;
  char byte;
  if (pipe(go))
    return 1;
  say("no children", wait(&status));
  say("no children, any", waitpid(-1, &status, WNOHANG));
  say("itself", waitpid(getpid(), &status, 0));
  say("the parent", waitpid(getppid(), &status, 0));
  say("options", waitpid(-1, &status, 0x1000));
  printf("untouched: %d\n", status == 1234);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    _exit(read(go[0], &byte, 1) == 0 ? 7 : 8);
  }
  say("runs", waitpid(child, &status, WNOHANG));
  say("runs, any", waitpid(-1, &status, WNOHANG));
  say("another group", waitpid(-child, &status, WNOHANG));
  close(go[1]);
  pid_t got = waitpid(child, &status, 0);
  printf("%d %d\n", got == child, WEXITSTATUS(status));
  say("again", waitpid(child, &status, 0));
  if ((child = fork()) == 0)
    _exit(0);
  got = wait(NULL);
  printf("status is not asked for: %d\n", got == child);
  return 0;
}
