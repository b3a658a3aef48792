//@ native: no
//@ paths: 2
// A symbolic argument is handed over as it is, and comes back in the exit status.
#include <assert.h>
#include <klee/klee.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 1)
    return (unsigned char)argv[1][0];
  char text[2] = {0};
  int status = 0;
  klee_make_symbolic(text, 1, "text");
  pid_t child = fork();
  if (child == 0) {
    char *arguments[] = {argv[0], text, NULL};
    execv("/proc/self/exe", arguments);
    _exit(99);
  }
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
  assert(WEXITSTATUS(status) == (unsigned char)text[0]);
  return 0;
}
