//@ native: yes
// setitimer rings once or again and again, tells what is left, and checks its arguments.
#include "../check.h"
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t rings;

static void ring(int signal) { rings += signal == SIGALRM; }

int main(void) {
  struct itimerval t = {{0, 10000}, {0, 20000}}, old;
  sigset_t none, rung;
  sigemptyset(&none), sigemptyset(&rung), sigaddset(&rung, SIGALRM);
  signal(SIGALRM, ring);
  SHOW(getitimer(ITIMER_REAL, &old));
  NUM(old.it_value.tv_sec + old.it_value.tv_usec + old.it_interval.tv_usec);
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  while (rings < 3)
    pause();
  SHOW(getitimer(ITIMER_REAL, &old));
  IS(old.it_value.tv_usec > 0 && old.it_value.tv_usec <= 10000);
  NUM(old.it_interval.tv_usec);
  t = (struct itimerval){{0, 0}, {0, 0}};
  SHOW(setitimer(ITIMER_REAL, &t, &old));
  IS(rings >= 3);
  t = (struct itimerval){{0, 0}, {100, 0}};
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  SHOW(alarm(0));
  rings = 0;
  SHOW(sigprocmask(SIG_BLOCK, &rung, 0));
  t = (struct itimerval){{0, 0}, {0, 5000}};
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  SHOW(sigsuspend(&none));
  NUM(rings);
  SHOW(getitimer(ITIMER_REAL, &old));
  NUM(old.it_value.tv_sec + old.it_value.tv_usec);
  t.it_value.tv_usec = 1000000;
  SHOW(setitimer(ITIMER_REAL, &t, 0));
  t.it_value.tv_usec = 0;
  SHOW(setitimer(99, &t, 0));
  SHOW(getitimer(99, &t));
  return 0;
}
