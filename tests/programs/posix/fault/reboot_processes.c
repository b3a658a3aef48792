//@ native: no
//@ args: --max-reboots 1 --max-pauses 1
// A crash ends all processes and threads at once, whichever of them it is in; a pause holds them all.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *change(void *name) {
  assert(close(open(name, O_WRONLY | O_CREAT, 0600)) == 0);
  return NULL;
}

int main(void) {
  int pipes[2], status;
  assert(access("child", F_OK) == -1 && access("thread", F_OK) == -1 && pipe(pipes) == 0);
  pid_t child = fork();
  if (child == 0) {
    change("child");
    assert(write(pipes[1], "x", 1) == 1);
    return 0;
  }
  pthread_t thread;
  char byte;
  assert(pthread_create(&thread, NULL, change, "thread") == 0 && pthread_join(thread, NULL) == 0);
  assert(read(pipes[0], &byte, 1) == 1);
  assert(waitpid(child, &status, 0) == child && status == 0);
  puts("done");
  return 0;
}
