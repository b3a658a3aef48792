// Five descriptors, two processes.
//@ args: --max-files 5 --max-processes 2
//@ paths: 1
#include <assert.h>
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 5);
  assert(dup(0) == 3 && dup(0) == 4);
  assert(dup(0) < 0 && errno == EMFILE);
  pid_t child = fork();
  if (child == 0) {
    assert(fork() < 0 && errno == EAGAIN);
    _exit(0);
  }
  assert(child > 0 && wait(NULL) == child);
  child = fork();
  if (child == 0) _exit(0);
  assert(child > 0);
  return 0;
}
