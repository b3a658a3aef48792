//@ native: yes
// The clocks tell plausible times, never go back, and refuse what they do not know.
#include "../check.h"
#include <sys/time.h>
#include <time.h>

static long long read_clock(clockid_t id) {
  struct timespec t = {-1, -1};
  if (clock_gettime(id, &t) || t.tv_nsec < 0 || t.tv_nsec > 999999999)
    return -1;
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  static const clockid_t ids[] = {CLOCK_REALTIME,           CLOCK_MONOTONIC,        CLOCK_MONOTONIC_RAW,
                                  CLOCK_REALTIME_COARSE,    CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME,
                                  CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
  struct timespec t;
  struct timeval v;
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    long long last = read_clock(ids[i]);
    int backwards = 0;
    for (int k = 0; k < 50; k++) {
      long long now = read_clock(ids[i]);
      backwards += now < last;
      last = now;
    }
    int known = clock_getres(ids[i], &t);
    printf("clock %d: works %d, backwards %d, resolution %d %d\n", (int)ids[i], last >= 0, backwards, known,
           t.tv_sec == 0 && t.tv_nsec > 0);
  }
  SHOW(clock_gettime(999, &t));
  SHOW(clock_getres(999, &t));
  SHOW(clock_getres(CLOCK_REALTIME, 0));
  long long real = read_clock(CLOCK_REALTIME);
  SHOW(gettimeofday(&v, 0));
  time_t seconds = time(0), stored;
  IS(time(&stored) == stored);
  IS(v.tv_usec >= 0 && v.tv_usec < 1000000);
  IS(v.tv_sec - real / 1000000000 <= 2 && v.tv_sec >= real / 1000000000);
  IS(seconds - v.tv_sec <= 2 && seconds - v.tv_sec >= -1);
  IS(seconds > 0);
  return 0;
}
