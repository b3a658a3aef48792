/* Waits for an answer in several ways, and looks at the clock after each. */
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

#include "../sockets.h"

static long now_ms(clockid_t clock) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(void) {
  int fd = connected(SOCK_DGRAM, "silent", 7000);
  char byte;
  long start = now_ms(CLOCK_MONOTONIC), date = now_ms(CLOCK_REALTIME);

  struct timeval limit = {1, 500000};
  assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
  assert(write(fd, "x", 1) == 1);
  assert(read(fd, &byte, 1) == -1 && errno == EAGAIN);
  assert(now_ms(CLOCK_MONOTONIC) - start == 1500);

  struct pollfd wanted = {fd, POLLIN, 0};
  assert(poll(&wanted, 1, 250) == 0);
  assert(now_ms(CLOCK_MONOTONIC) - start == 1750);

  fd_set set;
  FD_ZERO(&set);
  FD_SET(fd, &set);
  limit = (struct timeval){0, 50000};
  assert(select(fd + 1, &set, NULL, NULL, &limit) == 0);
  assert(now_ms(CLOCK_MONOTONIC) - start == 1800);

  assert(usleep(200000) == 0);
  assert(now_ms(CLOCK_MONOTONIC) - start == 2000);
  assert(now_ms(CLOCK_REALTIME) - date == 2000);
  return 0;
}
