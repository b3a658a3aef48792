// EPOLLEXCLUSIVE is for new entries, not for changed ones, and goes with few other events.
#include "../check.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int poller;

static int control(int operation, int fd, unsigned events) {
  struct epoll_event event = {.events = events};
  return epoll_ctl(poller, operation, fd, &event);
}

int main(void) {
  poller = epoll_create1(0);
  int first = eventfd(0, 0), second = eventfd(0, 0), other = epoll_create1(0);
  SHOW(control(EPOLL_CTL_ADD, first, EPOLLIN | EPOLLEXCLUSIVE));
  SHOW(control(EPOLL_CTL_MOD, first, EPOLLIN));
  SHOW(control(EPOLL_CTL_DEL, first, 0));
  SHOW(control(EPOLL_CTL_ADD, first, EPOLLIN));
  SHOW(control(EPOLL_CTL_MOD, first, EPOLLIN | EPOLLEXCLUSIVE));
  SHOW(control(EPOLL_CTL_ADD, second, EPOLLIN | EPOLLONESHOT | EPOLLEXCLUSIVE));
  SHOW(control(EPOLL_CTL_ADD, second, EPOLLIN | EPOLLRDHUP | EPOLLEXCLUSIVE));
  SHOW(control(EPOLL_CTL_ADD, other, EPOLLIN | EPOLLEXCLUSIVE));
  SHOW(control(EPOLL_CTL_ADD, second, EPOLLIN | EPOLLET | EPOLLEXCLUSIVE));
  struct epoll_event event;
  SHOW(epoll_wait(poller, &event, 1, 0));
  SHOW(eventfd_write(second, 1));
  SHOW(epoll_wait(poller, &event, 1, 0));
  SHOW(epoll_wait(poller, &event, 1, 0));
  return 0;
}
