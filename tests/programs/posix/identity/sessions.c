//@ native: yes
// A leader of a group cannot start a session, any other process can and then leads group and session.
#include "../check.h"

int main(void) {
  pid_t pid = getpid();
  IS(getpgrp() == pid ? setsid() == -1 && errno == EPERM : setsid() == pid && getsid(0) == pid);
  IS(getpgrp() == pid);
  SHOW(setsid());
  SHOW(setpgid(0, -1));
  SHOW(setpgid(99999999, 0));
  IS(tcgetpgrp(1) == -1 && errno == ENOTTY);
  return 0;
}
