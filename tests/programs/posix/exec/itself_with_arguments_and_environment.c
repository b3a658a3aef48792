// execve replaces the program: arguments and environment are as told; nothing of before is left.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int global = 1;

static void handler(void) { printf("never: exit handlers do not survive\n"); }

static int again(int argc, char **argv) {
  printf("argc %d:", argc);
  for (int i = 0; i < argc; i++)
    printf(" [%s]", argv[i]);
  printf("\nglobal %d, end %d\n", global, argv[argc] == NULL);
  for (char **e = environ; *e; e++)
    printf("environment [%s]\n", *e);
  const char *empty = getenv("EMPTY");
  printf("%s\n", !empty ? "EMPTY is not set" : *empty ? "EMPTY has a value" : "EMPTY is empty");
  return 33;
}

static void run(char **arguments, char **environment) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    global = 2;
    printf("lost with the old program");
    atexit(handler);
    execve("/proc/self/exe", arguments, environment);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  printf("status %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  if (argc > 1)
    return again(argc, argv);
  char *arguments[] = {"a new name", "one", "", "two words", NULL};
  char *environment[] = {"COLOUR=red", "EMPTY=", "no equal sign", NULL}, *none[] = {NULL};
  run(arguments, environment);
  run(arguments, none);
  return 0;
}
