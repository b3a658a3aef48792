/* Measures how long a second takes, by the time of day, or with the argument "monotonic" by the clock for that. Looks at
   the time of day before and after in any case. */
#include <assert.h>
#include <time.h>
#include <unistd.h>

static time_t seconds(clockid_t clock) {
  struct timespec time;
  assert(clock_gettime(clock, &time) == 0);
  return time.tv_sec;
}

int main(int argc, char **argv) {
  time_t day = seconds(CLOCK_REALTIME), begin = seconds(CLOCK_MONOTONIC);
  sleep(1);
  time_t by_day = seconds(CLOCK_REALTIME) - day;
  time_t passed = argc > 1 ? seconds(CLOCK_MONOTONIC) - begin : by_day;
  assert(passed >= 0); // mark: passed
  return 0;
}
