// Closing the last descriptor of what is watched removes it; a duplicate keeps it.
#include <errno.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int poller;

static void show(const char *what) {
  struct epoll_event events[4];
  int count = epoll_wait(poller, events, 4, 0);
  printf("%s: %d", what, count);
  for (int i = 0; i < count; i++)
    printf(" %d", (int)events[i].data.u32);
  printf("\n");
}

int main(void) {
  poller = epoll_create1(0);
  int first = eventfd(1, 0), second = eventfd(1, 0), copy = dup(second);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1};
  epoll_ctl(poller, EPOLL_CTL_ADD, first, &event);
  event.data.u32 = 2;
  epoll_ctl(poller, EPOLL_CTL_ADD, second, &event);
  show("both");
  close(first);
  show("first closed");
  close(second);
  show("second closed, its copy open");
  int result = epoll_ctl(poller, EPOLL_CTL_DEL, second, NULL);
  printf("%d %s\n", result, errno == EBADF ? "EBADF" : "other");
  result = epoll_ctl(poller, EPOLL_CTL_DEL, copy, NULL);
  printf("%d %s\n", result, errno == ENOENT ? "ENOENT" : "other");
  close(copy);
  show("all closed");
  int again = eventfd(1, 0);
  printf("%d\n", again == first);
  show("the number alone means nothing");
  event.data.u32 = 3;
  printf("%d\n", epoll_ctl(poller, EPOLL_CTL_ADD, again, &event));
  show("added");
  return 0;
}
