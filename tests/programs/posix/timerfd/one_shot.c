// A one-shot timer: a blocking read waits for it and tells 1; then it is disarmed.
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void show(const char *what, int fd) {
  struct itimerspec left;
  int result = timerfd_gettime(fd, &left);
  printf("%s: %d armed %d interval %ld.%09ld\n", what, result,
         left.it_value.tv_sec || left.it_value.tv_nsec, (long)left.it_interval.tv_sec,
         left.it_interval.tv_nsec);
}

int main(void) {
  int clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME};
  for (int i = 0; i < 3; i++) {
    int fd = timerfd_create(clocks[i], 0);
    uint64_t rung = 0;
    show("new", fd);
    struct itimerspec soon = {{0, 0}, {0, 8000000}}, late = {{0, 0}, {1000, 0}};
    printf("%d\n", timerfd_settime(fd, 0, &late, NULL));
    show("set", fd);
    long long start = now();
    printf("%d\n", timerfd_settime(fd, 0, &soon, NULL));
    printf("%zd\n", read(fd, &rung, sizeof rung));
    printf("%d, in time %d\n", (int)rung, now() - start >= 8000000);
    show("rung", fd);
    close(fd);
  }
  return 0;
}
