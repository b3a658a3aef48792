// EPOLLHUP and EPOLLERR come unasked, beside what was asked for; several descriptors in one call.
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int poller;

static void show(const char *what) {
  struct epoll_event events[4];
  int count = epoll_wait(poller, events, 4, 0);
  unsigned told[3] = {0};
  for (int i = 0; i < count; i++)
    told[events[i].data.u64 & 3] = events[i].events;
  printf("%s: %d", what, count);
  for (int i = 0; i < 3; i++)
    printf(" |%s%s%s%s", told[i] & EPOLLIN ? " in" : "", told[i] & EPOLLOUT ? " out" : "",
           told[i] & EPOLLHUP ? " hup" : "", told[i] & EPOLLERR ? " err" : "");
  printf("\n");
}

int main(void) {
  int a[2], b[2];
  char byte;
  poller = epoll_create1(0);
  if (pipe(a) || pipe(b))
    return 1;
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0};
  epoll_ctl(poller, EPOLL_CTL_ADD, a[0], &event);
  event = (struct epoll_event){.events = EPOLLOUT, .data.u64 = 1};
  epoll_ctl(poller, EPOLL_CTL_ADD, b[1], &event);
  event = (struct epoll_event){.events = 0, .data.u64 = 2};
  epoll_ctl(poller, EPOLL_CTL_ADD, b[0], &event);
  show("open");
  printf("%zd\n", write(a[1], "x", 1));
  show("data");
  close(a[1]);
  show("writer gone, data left");
  printf("%zd\n", read(a[0], &byte, 1));
  show("writer gone");
  close(b[0]);
  show("reader gone");
  epoll_ctl(poller, EPOLL_CTL_DEL, a[0], NULL);
  event = (struct epoll_event){.events = 0, .data.u64 = 1};
  epoll_ctl(poller, EPOLL_CTL_MOD, b[1], &event);
  show("nothing asked");
  return 0;
}
