/* Reads three bytes and their end from a stream, byte by byte until there are no more, whenever `epoll` tells an edge. */
#include "../sockets.h"
#include <sys/epoll.h>

int main(void) {
  int epoll = epoll_create1(0), fd = accept4(listening(5000), NULL, NULL, SOCK_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
  for (;;) {
    char byte;
    ssize_t count;
    assert(epoll_wait(epoll, &event, 1, -1) == 1);
    while ((count = read(fd, &byte, 1)) == 1)
      ;
    if (count == 0) return 0;
    assert(errno == EAGAIN);
  }
}
