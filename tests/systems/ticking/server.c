/* Answers datagrams, and wakes every so often for nothing, by the timer that its argument names. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

#include "../sockets.h"

static volatile sig_atomic_t ticks;

static void tick(int signal) {
  (void)signal;
  ticks++;
}

static void *tick_beside(void *unused) {
  for (;;) {
    sleep(1);
    ticks++;
  }
  return unused;
}

static int has(const char *timer, const char *name) { return strcmp(timer, name) == 0; }

/* Waits until something has come or a timer has passed. */
static void wait_for(int fd, const char *timer, int epoll) {
  struct pollfd wanted = {fd, POLLIN, 0};
  struct epoll_event event;
  struct timeval limit = {0, 700000};
  struct timespec pause = {0, 300000000};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(fd, &set);
  if (has(timer, "select")) select(fd + 1, &set, NULL, NULL, &limit);
  else if (has(timer, "poll")) poll(&wanted, 1, 1000);
  else if (has(timer, "epoll")) epoll_wait(epoll, &event, 1, 100);
  else if (has(timer, "timerfd")) epoll_wait(epoll, &event, 1, -1);
  else if (has(timer, "sleep")) sleep(1);
  else if (has(timer, "nanosleep")) nanosleep(&pause, NULL);
  else poll(&wanted, 1, -1); /* a signal, or another thread */
  ticks++;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  const char *timer = argv[1];
  int fd = bound(SOCK_DGRAM, 7000), epoll = epoll_create1(0);
  assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
  signal(SIGALRM, tick);
  struct itimerval interval = {{0, 400000}, {0, 400000}};
  struct itimerspec period = {{1, 0}, {1, 0}};
  int clock = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  pthread_t thread;
  if (has(timer, "setitimer")) assert(setitimer(ITIMER_REAL, &interval, NULL) == 0);
  if (has(timer, "thread")) assert(pthread_create(&thread, NULL, tick_beside, NULL) == 0);
  if (has(timer, "timerfd")) {
    assert(timerfd_settime(clock, 0, &period, NULL) == 0);
    event.data.fd = clock;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, clock, &event) == 0);
  }
  for (;;) {
    if (has(timer, "alarm")) alarm(1);
    wait_for(fd, timer, epoll);
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;
    char byte;
    uint64_t passed;
    if (read(clock, &passed, sizeof passed) == sizeof passed) ticks += passed;
    if (recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&peer, &size) == 1)
      assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, size) == 1);
  }
}
