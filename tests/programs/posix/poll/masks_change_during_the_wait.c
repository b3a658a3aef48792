// ppoll and pselect let a pending signal in while they wait, and put the mask back.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) {
  (void)signal_;
  caught++;
}

static void say(const char *what, int result) {
  const char *error = result >= 0 ? "" : errno == EINTR ? " EINTR" : " other";
  sigset_t mask, pending;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  sigpending(&pending);
  printf("%s: %d%s, caught %d, blocked %d, pending %d\n", what, result, error, (int)caught,
         sigismember(&mask, SIGUSR1), sigismember(&pending, SIGUSR1));
}

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  signal(SIGUSR1, handler);
  sigset_t one, none;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  raise(SIGUSR1);
  say("raised", 0);

  struct pollfd fd = {ends[0], POLLIN, 0};
  struct timespec soon = {0, 1000000};
  say("ppoll, still blocked", ppoll(&fd, 1, &soon, &one));
  say("ppoll, own mask", ppoll(&fd, 1, &soon, NULL));
  say("ppoll", ppoll(&fd, 1, NULL, &none));
  raise(SIGUSR1);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  say("pselect, still blocked", pselect(ends[0] + 1, &set, NULL, NULL, &soon, &one));
  FD_SET(ends[0], &set);
  say("pselect", pselect(ends[0] + 1, &set, NULL, NULL, NULL, &none));
  raise(SIGUSR1);
  if (write(ends[1], "x", 1) != 1)
    return 1;
  int ready = ppoll(&fd, 1, NULL, &one);
  say("ppoll, ready", ready);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  say("unblocked", 0);
  return 0;
}
