// Errors of the timerfd calls: EINVAL of clock, flags, times and kind of descriptor; EBADF.
#include <errno.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void say(const char *what, long result) {
  printf("%s: %s\n", what,
         result >= 0       ? "ok"
         : errno == EINVAL ? "EINVAL"
         : errno == EBADF  ? "EBADF"
                           : "other");
}

static struct itimerspec span(long second, long nanosecond, long interval) {
  return (struct itimerspec){{0, interval}, {second, nanosecond}};
}

int main(void) {
  int ends[2], fd = timerfd_create(CLOCK_MONOTONIC, 0);
  if (pipe(ends))
    return 1;
  say("clock", timerfd_create(99, 0));
  say("clock of the process", timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0));
  say("flags", timerfd_create(CLOCK_MONOTONIC, 0x10));
  struct itimerspec time = span(1, 0, 0);
  say("set flags", timerfd_settime(fd, 0x10, &time, NULL));
  say("pipe", timerfd_settime(ends[0], 0, &time, NULL));
  say("gettime of a pipe", timerfd_gettime(ends[0], &time));
  say("closed", timerfd_settime(500, 0, &time, NULL));
  say("gettime of a closed one", timerfd_gettime(500, &time));
  time = span(0, 1000000000, 0);
  say("a billion", timerfd_settime(fd, 0, &time, NULL));
  time = span(0, -1, 0);
  say("negative", timerfd_settime(fd, 0, &time, NULL));
  time = span(-1, 0, 0);
  say("negative seconds", timerfd_settime(fd, 0, &time, NULL));
  time = span(1, 0, 1000000000);
  say("interval of a billion", timerfd_settime(fd, 0, &time, NULL));
  say("write", write(fd, "12345678", 8));
  time = span(1, 999999999, 999999999);
  say("the most", timerfd_settime(fd, 0, &time, NULL));
  return 0;
}
