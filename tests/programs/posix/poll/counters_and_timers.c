// poll and select over eventfd and timerfd.
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void show(const char *what, int counter, int timer, int wait) {
  struct pollfd set[2] = {{counter, POLLIN | POLLOUT, 0}, {timer, POLLIN | POLLOUT, 0}};
  if (wait)
    set[0].events = POLLIN;
  int count = poll(set, 2, wait);
  printf("%s: %d |%s%s |%s%s\n", what, count, set[0].revents & POLLIN ? " in" : "",
         set[0].revents & POLLOUT ? " out" : "", set[1].revents & POLLIN ? " in" : "",
         set[1].revents & POLLOUT ? " out" : "");
}

int main(void) {
  int counter = eventfd(0, EFD_NONBLOCK), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  show("new", counter, timer, 0);
  eventfd_write(counter, UINT64_MAX - 1);
  show("counter full", counter, timer, 0);
  eventfd_t value;
  eventfd_read(counter, &value);
  printf("%d\n", value == UINT64_MAX - 1);
  struct itimerspec soon = {{0, 0}, {0, 5000000}};
  timerfd_settime(timer, 0, &soon, NULL);
  show("timer rings", counter, timer, -1);
  fd_set in;
  FD_ZERO(&in);
  FD_SET(counter, &in);
  FD_SET(timer, &in);
  int count = select(timer + 1, &in, NULL, NULL, NULL);
  printf("select %d %d %d\n", count, !!FD_ISSET(counter, &in), !!FD_ISSET(timer, &in));
  uint64_t rung;
  printf("%zd\n", read(timer, &rung, sizeof rung));
  show("read", counter, timer, 0);
  printf("%d\n", rung == 1);
  return 0;
}
