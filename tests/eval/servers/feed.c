/* Runs a program whose standard input is a text, and ends as the program does. */
#include "text.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static struct text input;
  int ends[2], status;
  if (argc < 3 || pipe(ends) != 0)
    return 2;
  decode(argv[1], &input, "input");
  pid_t child = fork();
  if (child < 0)
    return 2;
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(argv[2], argv + 2);
    _exit(127);
  }
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  if (write(ends[1], input.bytes, input.length) < 0)
    perror("write");
  close(ends[1]);
  if (waitpid(child, &status, 0) != child)
    return 2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
