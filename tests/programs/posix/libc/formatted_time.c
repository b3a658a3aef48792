//@ native: yes
// strftime writes every field of the C locale, strptime reads them back.
#include "../check.h"
#include <time.h>

int main(void) {
  static const char *const formats[] = {"%a %A %b %B",    "%c",      "%C %d %D %e %F", "%g %G %V %u",
                                        "%H %I %j %m %M", "%n%t|%%", "%p %r %R",       "%S %T %U",
                                        "%w %W",          "%x %X",   "%y %Y",          "%h"};
  struct tm tm = {.tm_year = 121,
                  .tm_mon = 0,
                  .tm_mday = 3,
                  .tm_hour = 15,
                  .tm_min = 4,
                  .tm_sec = 5,
                  .tm_wday = 0,
                  .tm_yday = 2};
  char text[100];
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    size_t n = strftime(text, sizeof text, formats[i], &tm);
    printf("%zu [%s]\n", n, text);
  }
  NUM(strftime(text, 4, "%Y", &tm));
  NUM(strftime(text, 5, "%Y", &tm));
  struct tm back = {0};
  char *end = strptime("2024-02-29 23:59:58 rest", "%Y-%m-%d %H:%M:%S", &back);
  printf("%d %d %d %d %d %d [%s]\n", back.tm_year, back.tm_mon, back.tm_mday, back.tm_hour, back.tm_min,
         back.tm_sec, end);
  end = strptime("Tue Mar 5 01:02:03 PM", "%a %b %d %I:%M:%S %p", &back);
  printf("%d %d %d %d %d\n", end != 0, back.tm_wday, back.tm_mon, back.tm_mday, back.tm_hour);
  IS(strptime("13", "%M:%S", &back) == 0);
  return 0;
}
