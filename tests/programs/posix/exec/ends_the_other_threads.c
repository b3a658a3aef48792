// exec in a program with threads: the others are gone, from the first thread or another, the pid stays.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int quiet[2];

static void *wait_for_ever(void *none) {
  char byte;
  if (read(quiet[0], &byte, 1) >= 0)
    printf("never\n");
  return none;
}

static void *replace(void *pid) {
  execl("/proc/self/exe", "x", pid, NULL);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    printf("alone, same pid %d\n", atoi(argv[1]) == getpid());
    return 4;
  }
  for (int other = 0; other < 2; other++) {
    pid_t child = fork();
    if (child == 0) {
      char pid[16];
      pthread_t thread;
      if (pipe(quiet))
        _exit(1);
      snprintf(pid, sizeof pid, "%d", (int)getpid());
      pthread_create(&thread, NULL, wait_for_ever, NULL);
      pthread_create(&thread, NULL, wait_for_ever, NULL);
      if (!other)
        replace(pid);
      pthread_create(&thread, NULL, replace, pid);
      pthread_join(thread, NULL);
      _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    fflush(stdout);
  }
  return 0;
}
