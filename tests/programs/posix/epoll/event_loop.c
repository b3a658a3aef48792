// An event loop over a pipe from a child, a counter of a thread and a timer, until all are done.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE, COUNTER, TIMER };

static int counter;

static void *count(void *none) {
  for (int i = 1; i <= 4; i++)
    eventfd_write(counter, (eventfd_t)i);
  return none;
}

static void watch(int poller, int fd, int id) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)id};
  epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

int main(void) {
  int ends[2], poller = epoll_create1(EPOLL_CLOEXEC);
  if (pipe(ends))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; i++)
      if (write(ends[1], "tick", 4) != 4)
        _exit(1);
    _exit(0);
  }
  close(ends[1]);
  counter = eventfd(0, 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = {{0, 2000000}, {0, 2000000}};
  timerfd_settime(timer, 0, &every, NULL);
  watch(poller, ends[0], PIPE);
  watch(poller, counter, COUNTER);
  watch(poller, timer, TIMER);
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  long bytes = 0;
  uint64_t sum = 0, rings = 0, value;
  for (int open = 3; open;) {
    struct epoll_event events[3];
    int ready = epoll_wait(poller, events, 3, -1);
    for (int i = 0; i < ready; i++) {
      char data[7];
      int done = 0, fd = -1;
      if (events[i].data.u32 == PIPE) {
        ssize_t got = read(fd = ends[0], data, sizeof data);
        bytes += got;
        done = got == 0;
      } else if (events[i].data.u32 == COUNTER) {
        done = read(fd = counter, &value, 8) == 8 && (sum += value) == 10;
      } else {
        done = read(fd = timer, &value, 8) == 8 && (rings += value) >= 3;
      }
      if (done) {
        epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL);
        open--;
      }
    }
  }
  pthread_join(thread, NULL);
  int status;
  waitpid(child, &status, 0);
  printf("%ld bytes, sum %d, rang %d, child %d\n", bytes, (int)sum, rings >= 3, status);
  return 0;
}
