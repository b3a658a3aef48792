// An interval timer counts what it rang since the last read; each blocking read waits for the next.
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = {{0, 10000000}, {0, 5000000}}, left;
  printf("%d\n", timerfd_settime(fd, 0, &every, NULL));
  struct timespec sleep = {0, 36000000};
  nanosleep(&sleep, NULL);
  uint64_t rung = 0;
  printf("%zd\n", read(fd, &rung, 8));
  printf("at least four: %d\n", rung >= 4);
  timerfd_gettime(fd, &left);
  printf("interval %ld, left at most that %d\n", left.it_interval.tv_nsec,
         left.it_value.tv_nsec > 0 && left.it_value.tv_nsec <= 10000000);
  int all = 1;
  for (int i = 0; i < 3; i++)
    all &= read(fd, &rung, 8) == 8 && rung >= 1;
  printf("%d\n", all);
  struct itimerspec never = {{0, 0}, {0, 0}}, old;
  printf("%d\n", timerfd_settime(fd, 0, &never, &old));
  printf("was armed %d, interval %ld\n", old.it_value.tv_nsec > 0, old.it_interval.tv_nsec);
  timerfd_gettime(fd, &left);
  printf("armed %d\n", left.it_value.tv_sec || left.it_value.tv_nsec);
  return 0;
}
