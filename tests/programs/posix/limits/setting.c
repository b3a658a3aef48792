//@ native: yes
// The soft limit moves below the hard one; only privilege raises the hard one.
#include "../check.h"
#include <sys/resource.h>

int main(void) {
  be_ordinary_user();
  struct rlimit limit, seen;
  static const int resources[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE,  RLIMIT_STACK,  RLIMIT_DATA,
                                  RLIMIT_AS,     RLIMIT_CPU,   RLIMIT_NPROC, RLIMIT_MEMLOCK};
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
    int r = getrlimit(resources[i], &seen);
    printf("%d: %d %d\n", resources[i], r, seen.rlim_cur <= seen.rlim_max);
  }
  limit = (struct rlimit){50, 100};
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  SHOW(getrlimit(RLIMIT_NOFILE, &seen));
  printf("%ld %ld\n", (long)seen.rlim_cur, (long)seen.rlim_max);
  limit.rlim_cur = 100;
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  limit.rlim_cur = 101;
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  limit.rlim_max = 101;
  SHOW(setrlimit(RLIMIT_NOFILE, &limit));
  SHOW(getrlimit(99, &seen));
  SHOW(setrlimit(99, &limit));
  limit = (struct rlimit){30, 60};
  SHOW(prlimit(0, RLIMIT_NOFILE, &limit, &seen));
  printf("%ld %ld\n", (long)seen.rlim_cur, (long)seen.rlim_max);
  SHOW(prlimit(getpid(), RLIMIT_NOFILE, 0, &seen));
  printf("%ld %ld\n", (long)seen.rlim_cur, (long)seen.rlim_max);
  SHOW(prlimit(99999999, RLIMIT_NOFILE, 0, &seen));
  return 0;
}
