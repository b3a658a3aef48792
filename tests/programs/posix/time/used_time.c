//@ native: yes
// times, clock and getrusage tell figures that do not go back; unknown subjects are refused.
#include "../check.h"
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

int main(void) {
  struct tms a, b;
  struct rusage u, w;
  clock_t first = times(&a), second;
  SHOW(getrusage(RUSAGE_SELF, &u));
  clock_t used = clock();
  IS(first != (clock_t)-1 && used != (clock_t)-1);
  second = times(&b);
  IS(second >= first && b.tms_utime >= a.tms_utime && b.tms_stime >= a.tms_stime);
  IS(clock() >= used);
  NUM(b.tms_cutime + b.tms_cstime);
  SHOW(getrusage(RUSAGE_SELF, &w));
  IS(w.ru_utime.tv_sec >= u.ru_utime.tv_sec && w.ru_utime.tv_usec < 1000000 && w.ru_maxrss >= 0);
  SHOW(getrusage(RUSAGE_CHILDREN, &w));
  NUM(w.ru_utime.tv_sec + w.ru_utime.tv_usec);
  SHOW(getrusage(99, &w));
  return 0;
}
