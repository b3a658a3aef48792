//@ native: yes
// gmtime, timegm, mktime and localtime over leap years, negative times and fields out of range.
#include "../check.h"
#include <time.h>

static void show(const struct tm *t) {
  printf("%d-%02d-%02d %02d:%02d:%02d wday %d yday %d\n", t->tm_year + 1900, t->tm_mon + 1, t->tm_mday,
         t->tm_hour, t->tm_min, t->tm_sec, t->tm_wday, t->tm_yday);
}

int main(void) {
  static const long long moments[] = {0,          -1,          951782400,    951868799, 1709164800,
                                      4107542399, -2208988800, 253402300799, 2147483648};
  for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
    time_t t = moments[i];
    struct tm tm;
    need(gmtime_r(&t, &tm) != 0, "gmtime_r");
    show(&tm);
    IS(timegm(&tm) == t);
  }
  setenv("TZ", "UTC0", 1);
  tzset();
  struct tm tm = {.tm_year = 124, .tm_mon = 13, .tm_mday = 0, .tm_hour = 25, .tm_min = -1};
  NUM(mktime(&tm));
  show(&tm);
  char text[32];
  time_t t = 1000000000;
  fputs(asctime_r(gmtime(&t), text), stdout);
  fputs(ctime_r(&t, text), stdout);
  NUM(difftime(10, 4));
  return 0;
}
