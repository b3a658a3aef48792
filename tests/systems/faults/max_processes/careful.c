/* Lets another process do the work, or does it itself. */
#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(void) { return 7; }

int main(void) {
  int status, result;
  pid_t worker = fork();
  if (worker == 0) _exit(work());
  if (worker > 0) {
    assert(waitpid(worker, &status, 0) == worker);
    result = WEXITSTATUS(status);
  } else {
    assert(errno == EAGAIN);
    result = work();
  }
  assert(result == 7);
  return 0;
}
