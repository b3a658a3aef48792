/* Runs a job in a process of its own and reports the status that it ended with, beside the code that it was
   to end with. */
#include "../sockets.h"

#include <klee/klee.h>
#include <sys/wait.h>

int main(void) {
  unsigned char code, report[2];
  int status = 0;
  klee_make_symbolic(&code, sizeof code, "code");
  int fd = connected(SOCK_DGRAM, "monitor", 7000);
  pid_t job = fork();
  if (job == 0)
    _exit(code);
  assert(waitpid(job, &status, 0) == job && WIFEXITED(status));
  report[0] = WEXITSTATUS(status);
  report[1] = code;
  assert(send(fd, report, sizeof report, 0) == sizeof report);
  return 0;
}
