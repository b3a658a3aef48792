/* Milliseconds since the start of the run, which is at the beginning of 2020. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

static inline long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (now.tv_sec - 1577836800) * 1000 + now.tv_nsec / 1000000;
}

#endif
