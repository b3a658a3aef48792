/* Asks for a shell, which is this program under another name, and before there is one. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char here[64], own[256];
  if (argc > 1) return argc == 3 && strcmp(argv[2], "say yes") == 0 ? 5 : 6;
  assert(system("say yes") != 0 && errno == ENOENT);
  assert(getcwd(here, sizeof here));
  snprintf(own, sizeof own, "%s%s%s", argv[0][0] == '/' ? "" : here, argv[0][0] == '/' ? "" : "/", argv[0]);
  assert((mkdir("/bin", 0755) == 0 || errno == EEXIST) && symlink(own, "/bin/sh") == 0);
  int status = system("say yes");
  assert(WEXITSTATUS(status) != 5); // mark: guilty
  return 0;
}
