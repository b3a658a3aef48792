// EPOLLONESHOT tells once and then nothing until it is armed again by EPOLL_CTL_MOD.
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int poller, counter;

static void show(const char *what) {
  struct epoll_event event;
  int count = epoll_wait(poller, &event, 1, 0);
  printf("%s: %d\n", what, count);
}

int main(void) {
  poller = epoll_create1(EPOLL_CLOEXEC);
  counter = eventfd(1, EFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};
  epoll_ctl(poller, EPOLL_CTL_ADD, counter, &event);
  show("first");
  show("second");
  eventfd_write(counter, 1);
  show("written");
  printf("still there: %d\n", epoll_ctl(poller, EPOLL_CTL_ADD, counter, &event));
  event.events = EPOLLIN | EPOLLONESHOT;
  epoll_ctl(poller, EPOLL_CTL_MOD, counter, &event);
  show("armed");
  show("armed, second");
  event.events = EPOLLIN;
  epoll_ctl(poller, EPOLL_CTL_MOD, counter, &event);
  show("for ever");
  show("for ever, second");
  event.events = 0;
  epoll_ctl(poller, EPOLL_CTL_MOD, counter, &event);
  show("nothing wanted");
  return 0;
}
