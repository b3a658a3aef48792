// epoll_pwait lets a pending signal in while it waits and puts the mask back; epoll_wait gives EINTR.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal_) {
  (void)signal_;
  caught = 1;
}

static void say(const char *what, int result) {
  const char *error = result >= 0 ? "" : errno == EINTR ? " EINTR" : " other";
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  printf("%s: %d%s, caught %d, blocked %d\n", what, result, error, (int)caught,
         sigismember(&mask, SIGUSR1));
  caught = 0;
}

int main(void) {
  int ends[2], poller = epoll_create1(0);
  if (pipe(ends))
    return 1;
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  sigset_t one, none;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  raise(SIGUSR1);
  say("blocked", epoll_pwait(poller, &event, 1, 2, &one));
  say("no mask", epoll_pwait(poller, &event, 1, 2, NULL));
  say("let in", epoll_pwait(poller, &event, 1, -1, &none));
  // The timer repeats, for the case that it rings before the wait begins.
  struct itimerval every = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
  say("interrupted", epoll_wait(poller, &event, 1, -1));
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}
