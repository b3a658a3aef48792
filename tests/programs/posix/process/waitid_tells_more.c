// waitid: siginfo of an exit and a signal, WNOWAIT leaves the child, WNOHANG tells pid 0; errors.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static siginfo_t info;

static void say(const char *what, int result, pid_t child) {
  const char *error = errno == ECHILD ? "ECHILD" : errno == EINVAL ? "EINVAL" : "other";
  if (result < 0) {
    printf("%s: %s\n", what, error);
    return;
  }
  const char *code = info.si_code == CLD_EXITED   ? "exited"
                     : info.si_code == CLD_KILLED ? "killed"
                                                  : "other";
  if (info.si_pid == 0)
    printf("%s: none yet\n", what);
  else
    printf("%s: %d %s %d, signal %d, uid %d\n", what, info.si_pid == child, code, info.si_status,
           info.si_signo == SIGCHLD, info.si_uid == getuid());
  fflush(stdout);
  memset(&info, 0, sizeof info);
}

int main(void) {
  int go[2];
  char byte;
  if (pipe(go))
    return 1;
  say("no children", waitid(P_ALL, 0, &info, WEXITED), 0);
  pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    _exit(read(go[0], &byte, 1) == 0 ? 7 : 8);
  }
  close(go[0]);
  say("runs", waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG), child);
  say("nothing to wait for", waitid(P_ALL, 0, &info, WNOHANG), child);
  say("bad options", waitid(P_ALL, 0, &info, WEXITED | 0x1000), child);
  say("bad kind", waitid(77, 0, &info, WEXITED), child);
  say("not a child", waitid(P_PID, (id_t)getpid(), &info, WEXITED), child);
  close(go[1]);
  say("look", waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), child);
  say("look again", waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG), child);
  say("group", waitid(P_PGID, (id_t)getpgrp(), &info, WEXITED), child);
  say("gone", waitid(P_PID, (id_t)child, &info, WEXITED), child);
  if ((child = fork()) == 0) {
    raise(SIGTERM);
    _exit(0);
  }
  say("killed", waitid(P_ALL, 0, &info, WEXITED), child);
  return 0;
}
