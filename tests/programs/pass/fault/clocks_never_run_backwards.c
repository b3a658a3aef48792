//@ args: --sym-time
//@ paths: 2
/* With symbolic time, clocks never run backwards, and any time may pass between two readings. */
#include <assert.h>
#include <sys/time.h>
#include <time.h>

volatile int slow, quick;

int main(void) {
  struct timespec before, after;
  assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0 && clock_gettime(CLOCK_MONOTONIC, &after) == 0);
  assert((after.tv_nsec >= 0) & (after.tv_nsec < 1000000000));
  int later = (after.tv_sec > before.tv_sec) | ((after.tv_sec == before.tv_sec) & (after.tv_nsec >= before.tv_nsec));
  assert(later);
  /* The functions of the C library that tell the time of day read one clock. */
  time_t first = time(NULL);
  struct timeval day;
  gettimeofday(&day, NULL);
  assert(first >= 1577836800);
  assert(day.tv_sec >= first);
  assert(time(NULL) >= day.tv_sec);
  /* Sums of nanoseconds fit. */
  assert(after.tv_sec * 1000000000 + after.tv_nsec >= 0);
  if (after.tv_sec - before.tv_sec > 5)
    slow = 1;
  else
    quick = 1;
  return 0;
}
