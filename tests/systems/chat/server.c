/* A chat room over epoll: passes each line that comes to everybody else, and ends when all have left. */
#include <sys/epoll.h>

#include "../sockets.h"

enum { MOST = 8 };

static int guests[MOST], count, came;

static void leave(int fd) {
  for (int i = 0; i < count; i++)
    if (guests[i] == fd) guests[i] = guests[--count];
  close(fd);
}

int main(int argc, char **argv) {
  int expected = atoi(argv[1]), listener = listening(6667), epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) == 0);
  while (came < expected || count > 0) {
    struct epoll_event events[MOST];
    int ready = epoll_wait(epoll, events, MOST, -1);
    assert(ready > 0);
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int guest = accept(listener, NULL, NULL);
        assert(guest >= 0);
        event = (struct epoll_event){.events = EPOLLIN, .data.fd = guest};
        assert(epoll_ctl(epoll, EPOLL_CTL_ADD, guest, &event) == 0);
        guests[count++] = guest;
        if (++came == expected)
          for (int j = 0; j < count; j++) write_all(guests[j], "!", 1);
        continue;
      }
      char line[64];
      ssize_t size = read(fd, line, sizeof line);
      assert(size >= 0);
      if (size == 0) leave(fd);
      for (int j = 0; size > 0 && j < count; j++)
        if (guests[j] != fd) write_all(guests[j], line, size);
    }
  }
  return 0;
}
