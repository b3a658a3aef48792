//@ paths: 1
// A status goes up through several processes, which each add to it; one sum is not expected.
#include <klee/klee.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
  int x = klee_int("x");
  pid_t child = fork();
  if (child == 0) {
    pid_t grandchild = fork();
    if (grandchild == 0)
      exit(x);
    exit(status_of(grandchild) + 1);
  }
  if (status_of(child) == 0)
    abort(); // expect: bug abort
  return 0;
}
