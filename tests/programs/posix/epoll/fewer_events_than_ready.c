// With room for fewer events than are ready, each is told in its turn; and timeouts pass.
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  int poller = epoll_create1(0), counters[5];
  struct epoll_event events[2];
  for (int i = 0; i < 5; i++) {
    counters[i] = eventfd(1, 0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = counters[i]};
    epoll_ctl(poller, EPOLL_CTL_ADD, counters[i], &event);
  }
  int told[5] = {0};
  for (int round = 0; round < 5; round++) {
    int count = epoll_wait(poller, events, 2, -1);
    printf("%d ", count);
    for (int i = 0; i < count; i++)
      for (int j = 0; j < 5; j++)
        told[j] += counters[j] == events[i].data.fd;
  }
  printf("| %d %d %d %d %d\n", told[0], told[1], told[2], told[3], told[4]);
  eventfd_t value;
  for (int i = 0; i < 5; i++)
    eventfd_read(counters[i], &value);
  long long start = now();
  int count = epoll_wait(poller, events, 2, 15);
  long long took = now() - start;
  printf("%d %d\n", count, took >= 15000000 && took < 5000000000LL);
  return 0;
}
