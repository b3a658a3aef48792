// The classic: the child reads until the end of a pipe whose write end it holds open itself.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  pid_t child = fork();
  if (child == 0) {
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
  waitpid(child, &status, 0); // expect: bug deadlock
  return 0;
}
