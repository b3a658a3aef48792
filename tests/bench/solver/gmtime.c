/* The date of a day that two symbolic bytes number. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "klee/klee.h"

int main(void) {
  unsigned short day;
  klee_make_symbolic(&day, sizeof day, "day");
  time_t seconds = (time_t)day * 86400 + 12345;
  struct tm date;
  if (gmtime_r(&seconds, &date) == NULL)
    return 1;
  if (date.tm_mon == 1 && date.tm_mday == 29)
    printf("leap day\n");
  else if (date.tm_wday == 5 && date.tm_mday == 13)
    printf("friday the thirteenth\n");
  else if (date.tm_yday == 255)
    printf("day of the programmer\n");
  else
    printf("another day\n");
  return 0;
}
