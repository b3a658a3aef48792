/* Waits with epoll, select and poll for datagrams to itself, a counter, a timer and time itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>

#include "../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), counter = eventfd(0, EFD_NONBLOCK), epoll = epoll_create1(0);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  uint64_t one = 1, value;
  char letter;
  assert(counter >= 0 && epoll >= 0 && timer >= 0);
  for (int i = 0; i < 2; i++) {
    struct epoll_event watch = {.events = EPOLLIN, .data.u64 = 100 + i};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, i ? counter : fd, &watch) == 0);
  }
  assert(sendto(fd, "x", 1, 0, (struct sockaddr *)&self, sizeof self) == 1);
  struct epoll_event ready[2];
  assert(epoll_wait(epoll, ready, 2, -1) == 1 && ready[0].data.u64 == 100);
  assert(recv(fd, &letter, 1, 0) == 1 && letter == 'x');
  assert(recv(fd, &letter, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  assert(write(counter, &one, sizeof one) == sizeof one);
  assert(epoll_wait(epoll, ready, 2, 1000) == 1 && ready[0].data.u64 == 101);
  assert(read(counter, &value, sizeof value) == sizeof value && value == 1);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(fd, &set);
  struct timeval patience = {.tv_sec = 1};
  assert(select(fd + 1, &set, NULL, NULL, &patience) == 0);
  struct itimerspec soon = {.it_value = {.tv_sec = 2}};
  assert(timerfd_settime(timer, 0, &soon, NULL) == 0);
  struct pollfd both[2] = {{.fd = fd, .events = POLLIN}, {.fd = timer, .events = POLLIN}};
  assert(poll(both, 2, 5000) == 1 && both[1].revents == POLLIN);
  struct timespec now;
  assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
  assert(now.tv_sec != 103); // mark: guilty
  return 0;
}
