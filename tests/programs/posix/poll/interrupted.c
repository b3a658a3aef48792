// A signal with a handler interrupts poll and select with EINTR, SA_RESTART or not.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void handler(int signal_) { ticks += signal_ == SIGALRM; }

static void say(const char *what, int result) {
  printf("%s: %d %s, ticked %d\n", what, result, errno == EINTR ? "EINTR" : "other", ticks > 0);
  ticks = 0;
  errno = 0;
}

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  // The timer repeats, for the case that it rings before the wait begins.
  struct itimerval every = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  struct pollfd one = {ends[0], POLLIN, 0};
  for (int restart = 0; restart < 2; restart++) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = restart ? SA_RESTART : 0};
    sigaction(SIGALRM, &action, NULL);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    setitimer(ITIMER_REAL, &every, NULL);
    say("poll", poll(&one, 1, -1));
    say("poll with timeout", poll(&one, 1, 60000));
    say("select", select(ends[0] + 1, &set, NULL, NULL, NULL));
    setitimer(ITIMER_REAL, &never, NULL);
  }
  return 0;
}
