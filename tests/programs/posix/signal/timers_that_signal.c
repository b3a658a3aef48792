// timer_create: a signal with its value, gettime, overrun, absolute times, and errors.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void say(const char *what, int result) {
  printf("%s: %s\n", what, result < 0 ? errno == EINVAL ? "EINVAL" : "other" : "ok");
}

int main(void) {
  sigset_t set;
  siginfo_t info;
  timer_t timer;
  struct sigevent event;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  event.sigev_value.sival_int = 42;
  say("create", timer_create(CLOCK_MONOTONIC, &event, &timer));
  struct itimerspec late = {{0, 0}, {1000, 0}}, soon = {{0, 0}, {0, 3000000}}, never = {{0, 0}, {0, 0}},
                    now;
  say("set", timer_settime(timer, 0, &late, NULL));
  say("get", timer_gettime(timer, &now));
  printf("%d\n", now.it_value.tv_sec >= 900 && now.it_value.tv_sec <= 1000);
  say("set", timer_settime(timer, 0, &soon, &now));
  printf("%d\n", now.it_value.tv_sec >= 900);
  printf("%d\n", sigwaitinfo(&set, &info) == SIGUSR1);
  printf("timer %d value %d overrun %d\n", info.si_code == SI_TIMER, info.si_value.sival_int,
         timer_getoverrun(timer));
  say("get", timer_gettime(timer, &now));
  printf("%d\n", now.it_value.tv_sec || now.it_value.tv_nsec);
  struct itimerspec every = {{0, 1000000}, {0, 1000000}};
  say("interval", timer_settime(timer, 0, &every, NULL));
  struct timespec nap = {0, 8000000};
  nanosleep(&nap, NULL);
  printf("%d\n", sigwaitinfo(&set, &info) == SIGUSR1);
  printf("missed some %d\n", timer_getoverrun(timer) >= 3);
  say("stop", timer_settime(timer, 0, &never, NULL));
  struct timespec zero = {0, 0};
  while (sigtimedwait(&set, NULL, &zero) > 0)
    continue;
  struct itimerspec past = {{0, 0}, {0, 1}};
  say("past", timer_settime(timer, TIMER_ABSTIME, &past, NULL));
  printf("%d\n", sigwaitinfo(&set, &info) == SIGUSR1);
  past.it_value.tv_nsec = 1000000000;
  say("a billion", timer_settime(timer, 0, &past, NULL));
  say("delete", timer_delete(timer));
  event.sigev_signo = 65;
  say("bad signal", timer_create(CLOCK_MONOTONIC, &event, &timer));
  event.sigev_signo = SIGUSR1;
  say("bad clock", timer_create(99, &event, &timer));
  return 0;
}
