//@ paths: 1
// Of all codes that a child may exit with, its parent cannot stand one.
#include <klee/klee.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  unsigned char code;
  int status = 0;
  klee_make_symbolic(&code, sizeof code, "code");
  pid_t child = fork();
  if (child == 0)
    exit(code);
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return 1;
  if (WEXITSTATUS(status) == 42)
    abort(); // expect: bug abort
  return 0;
}
