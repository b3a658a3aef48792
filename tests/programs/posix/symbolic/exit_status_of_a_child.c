//@ native: no
//@ paths: 1
// A parent gets the very code that its child exits with, whatever that is: from wait and from waitid.
#include <assert.h>
#include <klee/klee.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int x = klee_int("x"), status = -1;
  siginfo_t info = {0};
  pid_t child = fork();
  if (child == 0)
    _exit(x);
  assert(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
  assert(info.si_code == CLD_EXITED && info.si_pid == child);
  assert(info.si_status == (x & 0xff));
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && !WIFSIGNALED(status) && !WIFSTOPPED(status));
  assert(WEXITSTATUS(status) == (x & 0xff));
  return 0;
}
