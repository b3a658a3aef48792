/* Clocks of std::chrono, and sleeping, on those of POSIX. */
#include <errno.h>
#include <stdint.h>
#include <time.h>

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* std::chrono::_V2::system_clock::now(), steady_clock::now() */
int64_t _ZNSt6chrono3_V212system_clock3nowEv(void) { return now(CLOCK_REALTIME); }
int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void) { return now(CLOCK_MONOTONIC); }

/* std::this_thread::__sleep_for(seconds, nanoseconds) */
void _ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE(
    int64_t seconds, int64_t nanoseconds) {
  struct timespec left = {.tv_sec = seconds, .tv_nsec = nanoseconds};
  while (nanosleep(&left, &left) != 0 && errno == EINTR)
    ;
}
