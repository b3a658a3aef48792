// Process groups and sessions: inherited, changed, and the errors of changing them.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *name(int error) {
  return error == EPERM ? "EPERM" : error == ESRCH ? "ESRCH" : error == EINVAL ? "EINVAL" : "other";
}

static void say(const char *what, long result) {
  printf("%s: %s\n", what, result < 0 ? name(errno) : "ok");
}

static void in_session(void) {
  int go[2];
  char byte;
  if (pipe(go))
    _exit(1);
  pid_t me = getpid();
  say("setsid", setsid());
  printf("leader %d %d %d\n", getsid(0) == me, getpgrp() == me, getpgid(0) == me);
  say("setsid again", setsid());
  say("setpgid of a leader", setpgid(0, 0));
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    _exit(read(go[0], &byte, 1) == 0 ? 0 : 1);
  }
  printf("inherited %d %d\n", getpgid(child) == me, getsid(child) == me);
  say("own group of the child", setpgid(child, child));
  printf("%d %d\n", getpgid(child) == child, getsid(child) == me);
  say("back", setpgid(child, me));
  printf("%d\n", getpgid(child) == me);
  say("to no group", setpgid(child, 99999999));
  say("negative", setpgid(child, -1));
  say("no process", setpgid(99999999, 0));
  say("getpgid of none", getpgid(99999999));
  say("getsid of none", getsid(99999999));
  close(go[1]);
  int status;
  pid_t got = waitpid(-me, &status, 0);
  printf("waited by group: %d %d\n", got == child, status);
  say("gone", getpgid(child));
  fflush(stdout);
  if ((child = fork()) == 0) {
    if (setpgid(0, 0))
      _exit(1);
    _exit(setsid() < 0 && errno == EPERM ? 4 : 5);
  }
  waitpid(child, &status, 0);
  printf("leader of a group: %d\n", WEXITSTATUS(status));
  fflush(stdout);
  _exit(0);
}

int main(void) {
  fflush(stdout);
  pid_t group = getpgrp(), session = getsid(0), child = fork();
  if (child == 0) {
    printf("inherited %d %d\n", getpgrp() == group, getsid(0) == session);
    in_session();
  }
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", status);
  return 0;
}
