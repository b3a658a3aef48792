// waitpid and sleeps are interrupted by handlers; nanosleep tells what is left, sleep the seconds.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void handler(int signal_) { (void)signal_; }

static void tick(int on) {
  // The timer repeats, for the case that it rings before the wait begins.
  struct itimerval every = {{0, on * 10000}, {0, on * 10000}};
  setitimer(ITIMER_REAL, &every, NULL);
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  tick(1);
  pid_t got = waitpid(child, NULL, 0);
  int error = errno;
  tick(0);
  printf("waitpid: %d %s\n", got, error == EINTR ? "EINTR" : "other");
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  struct timespec span = {500, 0}, left = {0, 0};
  tick(1);
  int result = nanosleep(&span, &left);
  error = errno;
  tick(0);
  printf("nanosleep: %d %s, left %d\n", result, error == EINTR ? "EINTR" : "other",
         left.tv_sec >= 400 && left.tv_sec < 500);
  tick(1);
  result = clock_nanosleep(CLOCK_MONOTONIC, 0, &span, &left);
  tick(0);
  printf("clock_nanosleep: %s, left %d\n", result == EINTR ? "EINTR" : "other",
         left.tv_sec >= 400 && left.tv_sec < 500);
  tick(1);
  unsigned rest = sleep(300);
  tick(0);
  printf("sleep: %d\n", rest >= 200 && rest <= 300);
  return 0;
}
