// TFD_TIMER_ABSTIME: a time to come is waited for, a time past rings at once, intervals since count.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static struct timespec after(struct timespec t, long long nanoseconds) {
  long long total = t.tv_sec * 1000000000LL + t.tv_nsec + nanoseconds;
  return (struct timespec){total / 1000000000, total % 1000000000};
}

int main(void) {
  int clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
  for (int i = 0; i < 2; i++) {
    int fd = timerfd_create(clocks[i], TFD_NONBLOCK), waiting = timerfd_create(clocks[i], 0);
    struct timespec now;
    uint64_t rung = 0;
    clock_gettime(clocks[i], &now);
    struct timespec when = after(now, 10000000);
    struct itimerspec set = {.it_value = when};
    printf("%d\n", timerfd_settime(waiting, TFD_TIMER_ABSTIME, &set, NULL));
    printf("%zd\n", read(waiting, &rung, 8));
    clock_gettime(clocks[i], &now);
    printf("%d, not before %d\n", (int)rung,
           now.tv_sec > when.tv_sec || (now.tv_sec == when.tv_sec && now.tv_nsec >= when.tv_nsec));
    set.it_value = (struct timespec){0, 1};
    printf("%d\n", timerfd_settime(fd, TFD_TIMER_ABSTIME, &set, NULL));
    rung = 0;
    printf("%zd\n", read(fd, &rung, 8));
    printf("%d\n", (int)rung);
    ssize_t got = read(fd, &rung, 8);
    printf("%zd %s\n", got, errno == EAGAIN ? "EAGAIN" : "other");
    set.it_value = now;
    set.it_interval = (struct timespec){3600, 0};
    printf("%d\n", timerfd_settime(fd, TFD_TIMER_ABSTIME, &set, NULL));
    printf("%zd\n", read(fd, &rung, 8));
    printf("%d\n", (int)rung);
  }
  return 0;
}
