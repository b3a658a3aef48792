/* Lets another process do the work. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status = 0;
  pid_t worker = fork();
  if (worker == 0) _exit(7);
  waitpid(worker, &status, 0);
  assert(WEXITSTATUS(status) == 7); // mark: guilty
  return 0;
}
