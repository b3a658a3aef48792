//@ native: yes
// clock_nanosleep sleeps for a time or until one; a moment that is past does not wait.
#include "../check.h"
#include <time.h>

static long long now(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void until(clockid_t id, long long ahead) {
  long long goal = now(id) + ahead;
  struct timespec t = {goal / 1000000000, goal % 1000000000};
  int r = clock_nanosleep(id, TIMER_ABSTIME, &t, 0);
  printf("%d: %s, reached %d\n", (int)id, errno_name(r), now(id) >= goal);
}

int main(void) {
  until(CLOCK_MONOTONIC, 20000000);
  until(CLOCK_REALTIME, 20000000);
  until(CLOCK_MONOTONIC, -1000000);
  struct timespec t = {0, 10000000};
  long long start = now(CLOCK_MONOTONIC);
  NUM(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0));
  IS(now(CLOCK_MONOTONIC) - start >= 10000000);
  puts(errno_name(clock_nanosleep(999, 0, &t, 0)));
  puts(errno_name(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &t, 0)));
  t.tv_nsec = 1000000000;
  puts(errno_name(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0)));
  t.tv_nsec = -1;
  puts(errno_name(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0)));
  puts(errno_name(clock_nanosleep(CLOCK_MONOTONIC, 0, unmapped, 0)));
  return 0;
}
