// The parent of vfork goes on when the child has become another program, which still runs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char byte;
  if (argc > 1) {
    // Waits for the parent, which would never come if it waited in turn.
    ssize_t got = read(atoi(argv[1]), &byte, 1);
    return got == 1 && byte == 'g' ? 21 : 22;
  }
  int ends[2];
  char number[16];
  if (pipe(ends))
    return 1;
  snprintf(number, sizeof number, "%d", ends[0]);
  pid_t child = vfork();
  if (child == 0) {
    execl("/proc/self/exe", "x", number, NULL);
    _exit(127);
  }
  printf("%zd\n", write(ends[1], "g", 1));
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  pid_t failed = vfork();
  if (failed == 0) {
    execl("missing", "x", NULL);
    _exit(126);
  }
  waitpid(failed, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  return 0;
}
