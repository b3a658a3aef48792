//@ native: yes
// Sleeping moves the clocks by at least what was asked; the clock of the processor hardly moves.
#include "../check.h"
#include <time.h>

static long long now(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  long long start = now(CLOCK_MONOTONIC), wall = now(CLOCK_REALTIME), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  struct timespec t = {0, 30000000}, rest = {-1, -1};
  SHOW(nanosleep(&t, &rest));
  long long slept = now(CLOCK_MONOTONIC) - start;
  IS(slept >= 30000000 && slept < 20000000000);
  IS(now(CLOCK_REALTIME) - wall >= 29000000);
  IS(now(CLOCK_PROCESS_CPUTIME_ID) - cpu < 25000000);
  NUM(rest.tv_sec);
  start = now(CLOCK_MONOTONIC);
  SHOW(usleep(2000));
  IS(now(CLOCK_MONOTONIC) - start >= 2000000);
  start = now(CLOCK_MONOTONIC);
  SHOW(sleep(1));
  IS(now(CLOCK_MONOTONIC) - start >= 1000000000);
  t = (struct timespec){0, 0};
  SHOW(nanosleep(&t, 0));
  t = (struct timespec){0, 1000000000};
  SHOW(nanosleep(&t, 0));
  t = (struct timespec){0, -1};
  SHOW(nanosleep(&t, 0));
  t = (struct timespec){-1, 0};
  SHOW(nanosleep(&t, 0));
  SHOW(nanosleep(unmapped, 0));
  return 0;
}
