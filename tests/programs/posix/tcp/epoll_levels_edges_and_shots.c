// epoll over connections: level, edge, one-shot, and the end of the other side.
#include "../socket/net.h"
#include <sys/epoll.h>

static int e;

static void look(const char *what) {
  struct epoll_event events[8];
  int n = epoll_wait(e, events, 8, 0);
  printf("%s: %d", what, n);
  for (int i = 0; i < n; i++)
    printf(" %u:%s%s%s%s%s", events[i].data.u32, events[i].events & EPOLLIN ? "in " : "",
           events[i].events & EPOLLOUT ? "out " : "", events[i].events & EPOLLRDHUP ? "rdhup " : "",
           events[i].events & EPOLLHUP ? "hup " : "", events[i].events & EPOLLERR ? "err " : "");
  printf("\n");
}

static void watch(int operation, int fd, unsigned events, unsigned id) {
  struct epoll_event event = {events, {.u32 = id}};
  need(epoll_ctl(e, operation, fd, &event) == 0, "epoll_ctl");
}

int main(void) {
  int pair[2], l = listener(1);
  tcp_pair(pair);
  e = epoll_create1(0);
  watch(EPOLL_CTL_ADD, l, EPOLLIN, 1);
  watch(EPOLL_CTL_ADD, pair[1], EPOLLIN | EPOLLRDHUP | EPOLLET, 2);
  look("nothing");
  int client = client_of(l);
  look("connection");
  look("connection");
  close(accept(l, NULL, NULL));
  look("accepted");
  send(pair[0], "ab", 2, 0);
  look("edge");
  look("seen");
  send(pair[0], "c", 1, 0);
  look("another edge");
  char byte;
  recv(pair[1], &byte, 1, 0);
  look("partly read");
  watch(EPOLL_CTL_MOD, pair[1], EPOLLIN | EPOLLONESHOT, 3);
  look("one shot");
  look("off");
  watch(EPOLL_CTL_MOD, pair[1], EPOLLIN | EPOLLOUT | EPOLLRDHUP, 4);
  look("level");
  close(pair[0]);
  look("closed");
  close(client);
  return 0;
}
