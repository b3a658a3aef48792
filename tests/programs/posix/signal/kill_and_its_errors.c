// kill: one process, its own group, another group; signal 0; EINVAL and ESRCH; killpg.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) { caught += signal_ == SIGUSR1; }

static void say(const char *what, int result) {
  printf("%s: %s\n", what,
         result >= 0       ? "ok"
         : errno == EINVAL ? "EINVAL"
         : errno == ESRCH  ? "ESRCH"
                           : "other");
  fflush(stdout);
}

static pid_t start(pid_t group) {
  pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  setpgid(child, group);
  return child;
}

static void reap(const char *what, pid_t child) {
  int status;
  pid_t got = waitpid(child, &status, 0);
  printf("%s: %d by %d\n", what, got == child, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  fflush(stdout);
}

static void in_own_group(void) {
  setpgid(0, 0);
  pid_t child = start(getpgrp());
  signal(SIGUSR1, handler);
  say("group 0", kill(0, SIGUSR1));
  printf("caught %d\n", (int)caught);
  reap("child of the group", child);
  signal(SIGUSR1, SIG_DFL);
  child = start(getpgrp());
  signal(SIGUSR1, handler);
  say("own group by number", kill(-getpgrp(), SIGUSR1));
  printf("caught %d\n", (int)caught);
  reap("child of the group", child);
  _exit(0);
}

int main(void) {
  pid_t child = start(0);
  say("probe", kill(child, 0));
  say("bad signal", kill(child, 65));
  say("negative signal", kill(child, -1));
  say("probe the group", kill(-child, 0));
  say("term", kill(child, SIGTERM));
  reap("term", child);
  say("gone", kill(child, SIGTERM));
  say("group gone", kill(-child, SIGTERM));
  say("nobody", kill(99999999, 0));
  say("no group", killpg(99999999, 0));
  pid_t first = start(0), second = start(first);
  say("killpg", killpg(first, SIGINT));
  reap("first", first);
  reap("second", second);
  if ((child = fork()) == 0)
    in_own_group();
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", status);
  return 0;
}
