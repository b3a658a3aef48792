/* A child becomes another program, this one with an argument, which says something and ends. */
#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int pipes[2], status;
  char said[8] = {0};
  if (argc > 1) return write(1, "done", 4) == 4 ? 5 : 6;
  assert(pipe(pipes) == 0);
  pid_t pid = fork();
  assert(pid >= 0);
  if (pid == 0) {
    dup2(pipes[1], 1);
    execl(argv[0], argv[0], "again", (char *)NULL);
    _exit(9);
  }
  close(pipes[1]);
  assert(read(pipes[0], said, sizeof said) == 4 && strcmp(said, "done") == 0);
  assert(wait(&status) == pid);
  assert(status != 5 << 8); // mark: guilty
  return 0;
}
