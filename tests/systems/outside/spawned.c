/* Starts another program, this one with an argument, whose output is what a pipe takes. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  int ends[2], status;
  char said[8] = {0};
  pid_t child, none = 0;
  posix_spawn_file_actions_t actions;
  if (argc > 1) return write(1, "done", 4) == 4 && write(5, "kept", 4) == 4 ? 5 : 6;
  assert(pipe(ends) == 0 && posix_spawn_file_actions_init(&actions) == 0);
  assert(posix_spawn_file_actions_adddup2(&actions, ends[1], 1) == 0);
  assert(posix_spawn_file_actions_addclose(&actions, ends[0]) == 0);
  assert(posix_spawn_file_actions_addopen(&actions, 5, "log", O_WRONLY | O_CREAT, 0600) == 0);
  char *again[] = {argv[0], "again", NULL};
  assert(posix_spawn(&none, "/nothing", &actions, NULL, again, environ) == ENOENT && none == 0);
  assert(posix_spawn(&child, argv[0], &actions, NULL, again, environ) == 0);
  assert(read(ends[0], said, sizeof said) == 4 && strcmp(said, "done") == 0);
  assert(waitpid(child, &status, 0) == child);
  int log = open("log", O_RDONLY);
  assert(read(log, said, sizeof said) == 4 && strcmp(said, "kept") == 0);
  assert(status != 5 << 8); // mark: guilty
  return 0;
}
