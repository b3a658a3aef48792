// An epoll descriptor is readable when something in it is ready, for poll and for another epoll.
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int inner, outer, ends[2];

static void show(const char *what) {
  struct pollfd one = {inner, POLLIN, 0};
  struct epoll_event event = {0};
  printf("%s: poll %d", what, poll(&one, 1, 0));
  printf(", outer %d", epoll_wait(outer, &event, 1, 0));
  printf(" %d", event.data.u32);
  event.data.u32 = 0;
  printf(", inner %d", epoll_wait(inner, &event, 1, 0));
  printf(" %d\n", event.data.u32);
}

int main(void) {
  inner = epoll_create1(0);
  outer = epoll_create1(0);
  if (pipe(ends))
    return 1;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1};
  printf("%d\n", epoll_ctl(inner, EPOLL_CTL_ADD, ends[0], &event));
  event.data.u32 = 2;
  printf("%d\n", epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event));
  show("empty");
  printf("%zd\n", write(ends[1], "x", 1));
  show("written");
  char byte;
  printf("%zd\n", read(ends[0], &byte, 1));
  show("read");
  close(ends[1]);
  show("hung up");
  printf("%d\n", epoll_ctl(inner, EPOLL_CTL_DEL, ends[0], NULL));
  show("removed");
  return 0;
}
