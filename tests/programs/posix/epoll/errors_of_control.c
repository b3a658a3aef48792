// Every error of the epoll calls: EEXIST ENOENT EBADF EINVAL EPERM ELOOP.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static const char *name(int error) {
  switch (error) {
  case EEXIST: return "EEXIST";
  case ENOENT: return "ENOENT";
  case EBADF: return "EBADF";
  case EINVAL: return "EINVAL";
  case EPERM: return "EPERM";
  case ELOOP: return "ELOOP";
  default: return "other";
  }
}

static void say(const char *what, int result) {
  printf("%s: %s\n", what, result < 0 ? name(errno) : "ok");
}

volatile int fewer = -1;

int main(void) {
  int ends[2], poller = epoll_create1(0), other = epoll_create(7);
  if (pipe(ends) || poller < 0 || other < 0)
    return 1;
  int file = open("plain", O_RDWR | O_CREAT, 0600), folder = open(".", O_RDONLY), closed = 700;
  struct epoll_event event = {.events = EPOLLIN}, events[2];
  say("bad flags", epoll_create1(1));
  say("add", epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event));
  say("add again", epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event));
  int copy = dup(ends[0]);
  say("add a duplicate", epoll_ctl(poller, EPOLL_CTL_ADD, copy, &event));
  say("change another", epoll_ctl(poller, EPOLL_CTL_MOD, ends[1], &event));
  say("delete another", epoll_ctl(poller, EPOLL_CTL_DEL, ends[1], NULL));
  say("delete", epoll_ctl(poller, EPOLL_CTL_DEL, ends[0], NULL));
  say("delete again", epoll_ctl(poller, EPOLL_CTL_DEL, ends[0], NULL));
  say("closed", epoll_ctl(poller, EPOLL_CTL_ADD, closed, &event));
  say("closed poller", epoll_ctl(closed, EPOLL_CTL_ADD, ends[0], &event));
  say("file", epoll_ctl(poller, EPOLL_CTL_ADD, file, &event));
  say("directory", epoll_ctl(poller, EPOLL_CTL_ADD, folder, &event));
  say("no poller", epoll_ctl(ends[1], EPOLL_CTL_ADD, ends[0], &event));
  say("itself", epoll_ctl(poller, EPOLL_CTL_ADD, poller, &event));
  say("unknown operation", epoll_ctl(poller, 99, ends[0], &event));
  say("nested", epoll_ctl(poller, EPOLL_CTL_ADD, other, &event));
  say("in a circle", epoll_ctl(other, EPOLL_CTL_ADD, poller, &event));
  say("wait for none", epoll_wait(poller, events, 0, 0));
  say("wait for fewer", epoll_wait(poller, events, fewer, 0));
  say("wait on a pipe", epoll_wait(ends[0], events, 2, 0));
  say("wait on a closed one", epoll_wait(closed, events, 2, 0));
  say("wait", epoll_wait(poller, events, 2, 0));
  say("read", (int)read(poller, events, sizeof events));
  unlink("plain");
  return 0;
}
