// There may be no room for a thread or a process, once.
//@ args: --max-sys-fail 1 --sys-fail clone,fork,vfork
//@ paths: 3
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *begin(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, begin, NULL);
  if (error == 0) assert(pthread_join(thread, NULL) == 0);
  else assert(error == EAGAIN);
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) assert(errno == EAGAIN);
  else assert(wait(NULL) == child);
  return 0;
}
