// exit runs handlers in reverse and flushes; _exit and a signal do neither; quick_exit has its own.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char *text) {
  if (write(1, text, strlen(text)) < 0)
    _exit(9);
}

static void first(void) { put("first\n"); }
static void second(void) { put("second\n"); }
static void quick(void) { put("quick\n"); }

__attribute__((destructor)) static void destructor(void) { put("destructor\n"); }

static int in_child(const char *what, int how) {
  put(what);
  pid_t child = fork();
  if (child == 0) {
    atexit(second);
    at_quick_exit(quick);
    printf("buffered\n");
    switch (how) {
    case 0: exit(1);
    case 1: _exit(2);
    case 2: _Exit(3);
    case 3: quick_exit(4);
    case 4: raise(SIGTERM); break;
    case 5: fflush(stdout); _exit(6);
    }
  }
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void) {
  const char *names[] = {"-- exit\n",       "-- _exit\n",   "-- _Exit\n",
                         "-- quick_exit\n", "-- SIGTERM\n", "-- flushed\n"};
  int codes[6];
  setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
  atexit(first);
  for (int i = 0; i < 6; i++)
    codes[i] = in_child(names[i], i);
  put("-- main\n");
  for (int i = 0; i < 6; i++)
    printf("%d ", codes[i]);
  printf("\n");
  return 7;
}
