// A thread that serves several connections with epoll.
#include "local.h"
#include <pthread.h>
#include <sys/epoll.h>

static int l;

static void *serve(void *unused) {
  int e = epoll_create1(0), open_ = 0;
  struct epoll_event event = {EPOLLIN, {.fd = l}}, events[4];
  epoll_ctl(e, EPOLL_CTL_ADD, l, &event);
  for (int served = 0; served < 3;) {
    int n = epoll_wait(e, events, 4, -1);
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      if (fd == l) {
        event = (struct epoll_event){EPOLLIN, {.fd = accept(l, NULL, NULL)}};
        epoll_ctl(e, EPOLL_CTL_ADD, event.data.fd, &event);
        open_++;
        continue;
      }
      char buffer[32];
      ssize_t k = read(fd, buffer, sizeof buffer);
      if (k <= 0) {
        close(fd);
        served++;
      } else {
        write(fd, buffer, (size_t)k);
      }
    }
  }
  return unused;
}

int main(void) {
  l = server(SOCK_STREAM, "s");
  pthread_t thread;
  need(pthread_create(&thread, NULL, serve, NULL) == 0, "thread");
  int fds[3];
  for (int i = 0; i < 3; i++) {
    fds[i] = socket(AF_UNIX, SOCK_STREAM, 0);
    need(connect_to(fds[i], "s") == 0, "connect");
  }
  for (int i = 2; i >= 0; i--) {
    char letter = (char)('a' + i);
    write(fds[i], &letter, 1);
    get("echo", fds[i], 9, 0);
    close(fds[i]);
  }
  pthread_join(thread, NULL);
  return 0;
}
