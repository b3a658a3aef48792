//@ native: yes
// The numbers of a process agree with each other; signal 0 asks whether one is there.
#include "../check.h"
#include <signal.h>
#include <sys/syscall.h>

int main(void) {
  pid_t pid = getpid();
  IS(pid > 0 && getpid() == pid);
  IS(getppid() >= 0 && getppid() != pid);
  IS(syscall(SYS_gettid) == pid);
  IS(getpgrp() == getpgid(0) && getpgid(pid) == getpgid(0));
  IS(getsid(0) == getsid(pid));
  SHOW(getpgid(99999999));
  SHOW(getsid(99999999));
  SHOW(getpgid(-1));
  SHOW(kill(pid, 0));
  SHOW(kill(99999999, 0));
  SHOW(kill(pid, 9999));
  SHOW(kill(pid, -1));
  return 0;
}
