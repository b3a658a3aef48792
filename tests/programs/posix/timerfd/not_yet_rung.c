// TFD_NONBLOCK: EAGAIN until it rings; setting it again forgets what rang; reading needs eight bytes.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void take(const char *what, int fd, size_t size) {
  uint64_t rung[2] = {99, 99};
  ssize_t got = read(fd, rung, size);
  printf("%s: %zd %s %d\n", what, got,
         got >= 0 ? "" : errno == EAGAIN ? "EAGAIN" : errno == EINVAL ? "EINVAL" : "other", (int)rung[0]);
}

int main(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  printf("%d %d\n", (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0, (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  struct itimerspec soon = {{0, 0}, {0, 2000000}}, late = {{0, 0}, {1000, 0}}, left;
  struct timespec sleep = {0, 4000000};
  take("never set", fd, 8);
  timerfd_settime(fd, 0, &late, NULL);
  take("late", fd, 8);
  timerfd_gettime(fd, &left);
  printf("%d\n", left.it_value.tv_sec >= 900 && left.it_value.tv_sec <= 1000);
  timerfd_settime(fd, 0, &soon, NULL);
  nanosleep(&sleep, NULL);
  take("short", fd, 7);
  take("rung", fd, 16);
  take("again", fd, 8);
  timerfd_settime(fd, 0, &soon, NULL);
  nanosleep(&sleep, NULL);
  timerfd_settime(fd, 0, &late, NULL);
  take("forgotten", fd, 8);
  return 0;
}
