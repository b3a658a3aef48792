// A process waits for what another one does, by read and by epoll; watches once, twice, and with more events.
#include "../check.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

int main(void) {
  need(mkdir("d", 0755) == 0, "mkdir");
  int fd = inotify_init();
  SHOW(inotify_add_watch(fd, "d", IN_CREATE));
  SHOW(inotify_add_watch(fd, "d", IN_DELETE | IN_MASK_CREATE));
  SHOW(inotify_add_watch(fd, "d/../d", IN_DELETE | IN_MASK_ADD));
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  need(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
  SHOW(epoll_wait(epoll, &event, 1, 0));
  pid_t child = fork();
  if (child == 0) {
    usleep(1000);
    close(open("d/x", O_CREAT | O_WRONLY, 0600));
    _exit(unlink("d/x"));
  }
  SHOW(epoll_wait(epoll, &event, 1, -1));
  int status;
  IS(waitpid(child, &status, 0) == child && status == 0);
  int bytes_there = 0;
  SHOW(ioctl(fd, FIONREAD, &bytes_there));
  NUM(bytes_there);
  _Alignas(struct inotify_event) char buffer[256];
  SHOW(read(fd, buffer, 31));
  SHOW(read(fd, buffer, 32));
  SHOW(read(fd, buffer, 256));
  child = fork();
  if (child == 0) {
    usleep(1000);
    _exit(mkdir("d/y", 0700));
  }
  ssize_t count = read(fd, buffer, sizeof buffer);
  struct inotify_event *told = (struct inotify_event *)buffer;
  printf("%d: %s %s\n", (int)count, told->name, told->mask == (IN_CREATE | IN_ISDIR) ? "made" : "?");
  IS(waitpid(child, &status, 0) == child && status == 0);
  SHOW(inotify_add_watch(fd, "d/y", IN_ONLYDIR | IN_ONESHOT | IN_CREATE));
  put("d/y/1", "");
  put("d/y/2", "");
  count = read(fd, buffer, sizeof buffer);
  NUM(count);
  put("file", "");
  SHOW(inotify_add_watch(fd, "file", IN_ONLYDIR | IN_MODIFY));
  SHOW(inotify_add_watch(epoll, "file", IN_MODIFY));
  SHOW(write(fd, "x", 1));
  be_ordinary_user();
  return 0;
}
