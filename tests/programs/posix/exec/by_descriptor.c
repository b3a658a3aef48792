// fexecve and execveat run what a descriptor names.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  if (argc > 1) {
    const char *value = getenv("SAID");
    printf("%s %s\n", argv[1], value ? value : "nothing");
    return 5;
  }
  char *arguments[] = {"name", "again", NULL}, *environment[] = {"SAID=something", NULL};
  int fd = open("/proc/self/exe", O_RDONLY), status;
  pid_t child = fork();
  if (child == 0) {
    fexecve(fd, arguments, environment);
    _exit(127);
  }
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  fflush(stdout);
  int file = open("plain", O_RDWR | O_CREAT, 0600);
  int result = fexecve(file, arguments, environ);
  printf("%d %s\n", result, errno == EACCES ? "EACCES" : "other");
  result = fexecve(-1, arguments, environ);
  printf("%d\n", result);
  unlink("plain");
  return 0;
}
