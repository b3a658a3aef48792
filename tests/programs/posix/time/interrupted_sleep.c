//@ native: yes
// A signal ends a sleep early, and what was left is told.
#include "../check.h"
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static void ring(int signal) { (void)signal; }

int main(void) {
  struct sigaction act = {.sa_handler = ring, .sa_flags = SA_RESTART};
  struct itimerval t = {{0, 20000}, {0, 20000}}, off = {{0, 0}, {0, 0}};
  struct timespec pause = {100, 0}, rest = {0, 0};
  sigaction(SIGALRM, &act, 0);
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  SHOW(nanosleep(&pause, &rest));
  IS(rest.tv_sec == 99 && rest.tv_nsec > 0);
  SHOW(setitimer(ITIMER_REAL, &off, 0));
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  unsigned left = sleep(100);
  IS(left == 99 || left == 100);
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  rest.tv_sec = 7;
  puts(errno_name(clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, &rest)));
  IS(rest.tv_sec == 99);
  SHOW(setitimer(ITIMER_REAL, &off, 0));
  return 0;
}
