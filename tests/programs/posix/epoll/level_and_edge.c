// Level-triggered readiness is told as long as it lasts, edge-triggered once for each arrival.
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static void show(const char *what, int poller) {
  struct epoll_event events[4];
  int count = epoll_wait(poller, events, 4, 0);
  printf("%s: %d", what, count);
  for (int i = 0; i < count; i++)
    printf(" %c%s%s", (char)events[i].data.u32, events[i].events & EPOLLIN ? " in" : "",
           events[i].events & EPOLLOUT ? " out" : "");
  printf("\n");
}

static void put(int fd) {
  if (write(fd, "xx", 2) != 2)
    printf("write failed\n");
}

int main(void) {
  int level[2], edge[2], poller = epoll_create1(0);
  char byte;
  if (poller < 0 || pipe(level) || pipe(edge))
    return 1;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 'L'};
  printf("%d\n", epoll_ctl(poller, EPOLL_CTL_ADD, level[0], &event));
  event = (struct epoll_event){.events = EPOLLIN | EPOLLET, .data.u32 = 'E'};
  printf("%d\n", epoll_ctl(poller, EPOLL_CTL_ADD, edge[0], &event));
  show("nothing", poller);
  put(level[1]);
  show("level", poller);
  show("level again", poller);
  printf("%zd\n", read(level[0], &byte, 1));
  show("half read", poller);
  printf("%zd\n", read(level[0], &byte, 1));
  show("all read", poller);
  put(edge[1]);
  show("edge", poller);
  show("edge again", poller);
  printf("%zd\n", read(edge[0], &byte, 1));
  show("half read", poller);
  put(edge[1]);
  show("more came", poller);
  show("more came, again", poller);
  event.events = EPOLLIN | EPOLLET;
  printf("%d\n", epoll_ctl(poller, EPOLL_CTL_MOD, edge[0], &event));
  show("asked anew", poller);
  show("asked anew, again", poller);
  return 0;
}
