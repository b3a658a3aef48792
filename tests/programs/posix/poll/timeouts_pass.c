// poll, select and their siblings wait as long as they were told when nothing comes, and no shorter.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static long long start;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void say(const char *what, int result, long long least) {
  int error = errno;
  long long took = now() - start;
  printf("%s: %d%s %s\n", what, result, result < 0 && error == EINVAL ? " EINVAL" : "",
         took < least ? "too early" : took < least + 5000000000LL ? "in time" : "too late");
}

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  struct pollfd one = {ends[0], POLLIN, 0};
  fd_set set;

  start = now();
  say("poll", poll(&one, 1, 20), 20000000);
  start = now();
  say("poll of nothing", poll(NULL, 0, 10), 10000000);
  struct timespec span = {0, 15000000};
  start = now();
  say("ppoll", ppoll(&one, 1, &span, NULL), 15000000);
  span = (struct timespec){0, -1};
  say("ppoll, negative", ppoll(&one, 1, &span, NULL), 0);
  span = (struct timespec){0, 1000000000};
  say("ppoll, too many", ppoll(&one, 1, &span, NULL), 0);

  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval time = {0, 15000};
  start = now();
  say("select", select(ends[0] + 1, &set, NULL, NULL, &time), 15000000);
  printf("set %d\n", FD_ISSET(ends[0], &set) != 0);
  time = (struct timeval){0, 12000};
  start = now();
  say("select of nothing", select(0, NULL, NULL, NULL, &time), 12000000);
  span = (struct timespec){0, 11000000};
  FD_SET(ends[0], &set);
  start = now();
  say("pselect", pselect(ends[0] + 1, &set, NULL, NULL, &span, NULL), 11000000);
  return 0;
}
