//@ native: yes
// TZ with POSIX rules: names, offsets, and summer time in both hemispheres.
#include "../check.h"
#include <time.h>

static void zone(const char *tz, time_t t) {
  struct tm tm;
  char text[64];
  setenv("TZ", tz, 1);
  tzset();
  localtime_r(&t, &tm);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z %z", &tm);
  time_t back = mktime(&tm);
  printf("%s: %s dst %d, back %d\n", tz, text, tm.tm_isdst, back == t);
}

int main(void) {
  zone("UTC0", 1700000000);
  zone("CET-1CEST,M3.5.0,M10.5.0/3", 1700000000);
  zone("CET-1CEST,M3.5.0,M10.5.0/3", 1690000000);
  zone("EST5EDT,M3.2.0,M11.1.0", 1700000000);
  zone("EST5EDT,M3.2.0,M11.1.0", 1690000000);
  zone("NZST-12NZDT,M9.5.0,M4.1.0/3", 1700000000);
  zone("NZST-12NZDT,M9.5.0,M4.1.0/3", 1690000000);
  zone("<+0530>-5:30", 1700000000);
  zone("CET-1CEST,M3.5.0,M10.5.0/3", 1711846799);
  zone("CET-1CEST,M3.5.0,M10.5.0/3", 1711846800);
  setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
  tzset();
  printf("%s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
  return 0;
}
