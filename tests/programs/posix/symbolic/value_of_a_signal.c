//@ native: no
//@ paths: 1
// What is queued with a signal arrives as it was sent, and so does what a timer was given.
#include <assert.h>
#include <klee/klee.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  union sigval value = {0};
  klee_make_symbolic(&value, sizeof value, "value");
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
  siginfo_t info;
  assert(sigqueue(getpid(), SIGUSR1, value) == 0);
  assert(sigwaitinfo(&set, &info) == SIGUSR1);
  assert(info.si_value.sival_ptr == value.sival_ptr);

  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2, .sigev_value = value};
  struct itimerspec soon = {.it_value.tv_nsec = 1};
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &soon, NULL) == 0);
  assert(sigwaitinfo(&set, &info) == SIGUSR2);
  assert(info.si_value.sival_ptr == value.sival_ptr);
  return 0;
}
