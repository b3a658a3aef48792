/* The protocol of the lock service. */
#ifndef LEASE_H
#define LEASE_H

#include <time.h>

#include "../sockets.h"

/* Times are in milliseconds. A lease is longer than the work, and shorter than a client waits for an answer. */
enum { PORT = 7000, LEASE = 1000, WORK = 500, PAUSE = 500, PATIENCE = 1250, ATTEMPTS = 4 };

enum { REQUEST, RELEASE, GRANTED, BUSY };

struct message {
  int kind, client, attempt; /* an answer has the attempt of its request */
};

static inline long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

#endif
