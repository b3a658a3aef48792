// execl, execle, execlp, execv, execvp, execvpe: arguments in a list or array, environment kept or new.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 1) {
    const char *value = getenv("KEPT"), *new = getenv("NEW");
    printf("%s: %d, %s %s\n", argv[1], argc, value ? value : "-", new ? new : "-");
    return 0;
  }
  setenv("KEPT", "kept", 1);
  char *environment[] = {"NEW=new", NULL};
  const char *self = "/proc/self/exe";
  for (int form = 0; form < 6; form++) {
    pid_t child = fork();
    char *arguments[] = {"name", (char *[]){"", "", "", "execv", "execvp", "execvpe"}[form], "third", NULL};
    if (child == 0) {
      switch (form) {
      case 0: execl(self, "name", "execl", "third", (char *)NULL); break;
      case 1: execle(self, "name", "execle", (char *)NULL, environment); break;
      case 2: execlp(self, "name", "execlp", "3", "4", "5", "6", "7", "8", (char *)NULL); break;
      case 3: execv(self, arguments); break;
      case 4: execvp(self, arguments); break;
      case 5: execvpe(self, arguments, environment); break;
      }
      _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    if (status)
      printf("form %d failed\n", form);
  }
  return 0;
}
