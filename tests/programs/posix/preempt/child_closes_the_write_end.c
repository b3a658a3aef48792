//@ args: --preempt 2
// The child closes its copy of the write end before it reads until the end.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char byte;
    int count = 0;
    while (read(ends[0], &byte, 1) == 1)
      count++;
    _exit(count);
  }
  close(ends[0]);
  if (write(ends[1], "abc", 3) != 3)
    return 1;
  close(ends[1]);
  int status;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) - 3;
}
