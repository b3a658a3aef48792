/* Clocks, sleeping and random numbers: all of them as in the script, and nothing really takes time. */
#include "turn.h"

/* The end of a call that is never made. */
static long fed(const event *e) {
  long result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

static struct timespec_ told(const event *e) {
  return (struct timespec_){(int64_t)e->aux[1], (int64_t)e->aux[2]};
}

EXPORT int clock_gettime(int clock, struct timespec_ *time) {
  if (!replaying())
    return (int)answered(SYSTEM(clock_gettime, clock, time));
  const event *e = turn_whole(EVERETT_API_clock_gettime);
  if (e->error == 0 && time)
    *time = told(e);
  return (int)fed(e);
}

EXPORT int gettimeofday(struct timeval_ *time, void *zone) {
  if (!replaying())
    return (int)answered(system_call(96, (long)time, (long)zone, 0, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_gettimeofday);
  struct timespec_ now = told(e);
  if (time)
    *time = (struct timeval_){now.seconds, now.nanoseconds / 1000};
  turn_pass(e);
  return 0;
}

EXPORT int64_t time(int64_t *to) {
  int64_t now;
  if (!replaying()) {
    now = system_call(201, 0, 0, 0, 0, 0, 0);
  } else {
    const event *e = turn_whole(EVERETT_API_time);
    now = told(e).seconds;
    turn_pass(e);
  }
  if (to)
    *to = now;
  return now;
}

EXPORT int timespec_get(struct timespec_ *time, int base) {
  if (!replaying())
    return SYSTEM(clock_gettime, 0, time) == 0 ? base : 0;
  const event *e = turn_whole(EVERETT_API_timespec_get);
  *time = told(e);
  turn_pass(e);
  return base;
}

/* struct timeb. */
struct moment {
  int64_t seconds;
  uint16_t milliseconds;
  int16_t zone, summer;
};

EXPORT int ftime(struct moment *to) {
  struct timespec_ now = {0, 0};
  if (replaying()) {
    const event *e = turn_whole(EVERETT_API_ftime);
    now = told(e);
    turn_pass(e);
  } else {
    SYSTEM(clock_gettime, 0, &now);
  }
  *to = (struct moment){now.seconds, (uint16_t)(now.nanoseconds / 1000000), 0, 0};
  return 0;
}

EXPORT long clock(void) {
  if (!replaying())
    return REAL(clock)();
  const event *e = turn_whole(EVERETT_API_clock);
  struct timespec_ now = told(e);
  turn_pass(e);
  return now.seconds * 1000000 + now.nanoseconds / 1000;
}

EXPORT long times(void *each) {
  if (!replaying())
    return answered(system_call(100, (long)each, 0, 0, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_times);
  if (each)
    memcpy(each, event_data(e), e->data_bytes);
  return fed(e);
}

EXPORT int getrusage(int who, void *usage) {
  if (!replaying())
    return (int)answered(system_call(98, who, (long)usage, 0, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_getrusage);
  if (e->error == 0)
    memcpy(usage, event_data(e), e->data_bytes);
  return (int)fed(e);
}

EXPORT unsigned sleep(unsigned seconds) {
  if (!replaying())
    return REAL(sleep)(seconds);
  const event *e = turn_whole(EVERETT_API_sleep);
  unsigned left = e->error != 0 ? (unsigned)told(e).seconds : 0;
  turn_pass(e);
  return left;
}

EXPORT int usleep(unsigned microseconds) {
  if (!replaying())
    return REAL(usleep)(microseconds);
  return (int)fed(turn_whole(EVERETT_API_usleep));
}

EXPORT int nanosleep(const struct timespec_ *time, struct timespec_ *left) {
  if (!replaying())
    return (int)answered(SYSTEM(nanosleep, time, left));
  const event *e = turn_whole(EVERETT_API_nanosleep);
  if (e->error != 0 && left)
    *left = told(e);
  return (int)fed(e);
}

EXPORT int clock_nanosleep(int clock, int flags, const struct timespec_ *time, struct timespec_ *left) {
  if (!replaying())
    return (int)-system_call(230, clock, flags, (long)time, (long)left, 0, 0);
  const event *e = turn_whole(EVERETT_API_clock_nanosleep);
  if (e->error != 0 && left && flags == 0)
    *left = told(e);
  int error = e->error;
  turn_pass(e);
  return error;
}

EXPORT int thrd_sleep(const struct timespec_ *time, struct timespec_ *left) {
  if (!replaying())
    return REAL(thrd_sleep)(time, left);
  const event *e = turn_whole(EVERETT_API_thrd_sleep);
  if (e->error != 0 && left)
    *left = told(e);
  int result = e->error == 0 ? 0 : e->error == E_INTR ? -1 : -2;
  turn_pass(e);
  return result;
}

EXPORT int sched_yield(void) {
  if (!replaying())
    return (int)answered(system_call(24, 0, 0, 0, 0, 0, 0));
  return (int)fed(turn_whole(EVERETT_API_sched_yield));
}

EXPORT void thrd_yield(void) { sched_yield(); }
EXPORT int pthread_yield(void) { return sched_yield(); }

/* Timers whose signals are events. */
EXPORT unsigned alarm(unsigned seconds) {
  if (!replaying())
    return REAL(alarm)(seconds);
  const event *e = turn_whole(EVERETT_API_alarm);
  unsigned left = (unsigned)e->result;
  turn_pass(e);
  return left;
}

EXPORT int setitimer(int which, const void *new, void *old) {
  if (!replaying())
    return (int)answered(system_call(38, which, (long)new, (long)old, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_setitimer);
  if (e->error == 0 && old)
    memcpy(old, event_data(e), e->data_bytes);
  return (int)fed(e);
}

EXPORT int getitimer(int which, void *now) {
  if (!replaying())
    return (int)answered(system_call(36, which, (long)now, 0, 0, 0, 0));
  const event *e = turn_whole(EVERETT_API_getitimer);
  if (e->error == 0)
    memcpy(now, event_data(e), e->data_bytes);
  return (int)fed(e);
}

/* Random bytes of the script. */
static const event *random_bytes(unsigned api, void *buffer, size_t size) {
  const event *e = turn_whole(api);
  if (e->error == 0 && e->data_bytes > size)
    turn_diverge("it asks for %u random bytes, expected %u", (uint64_t)size, (uint64_t)e->data_bytes);
  if (e->error == 0)
    memcpy(buffer, event_data(e), e->data_bytes);
  return e;
}

EXPORT long getrandom(void *buffer, size_t size, unsigned flags) {
  if (!replaying())
    return answered(system_call(318, (long)buffer, (long)size, flags, 0, 0, 0));
  return fed(random_bytes(EVERETT_API_getrandom, buffer, size));
}

EXPORT int getentropy(void *buffer, size_t size) {
  if (!replaying())
    return REAL(getentropy)(buffer, size);
  const event *e = random_bytes(EVERETT_API_getentropy, buffer, size);
  int result = e->error != 0 ? (int)failed(e->error) : 0;
  turn_pass(e);
  return result;
}

/* As many events as it takes to get all bytes. */
static void all_random_bytes(unsigned api, void *buffer, size_t size) {
  for (size_t done = 0; done < size;) {
    const event *e = random_bytes(api, (char *)buffer + done, size - done);
    done += e->error == 0 ? e->data_bytes : 0;
    turn_pass(e);
  }
}

EXPORT void arc4random_buf(void *buffer, size_t size) {
  if (!replaying())
    REAL(arc4random_buf)(buffer, size);
  else
    all_random_bytes(EVERETT_API_arc4random_buf, buffer, size);
}

EXPORT uint32_t arc4random(void) {
  uint32_t value;
  if (!replaying())
    return REAL(arc4random)();
  all_random_bytes(EVERETT_API_arc4random, &value, sizeof value);
  return value;
}

/* Draws again as often as the engine's C library does. */
EXPORT uint32_t arc4random_uniform(uint32_t bound) {
  uint32_t value = 0;
  if (!replaying())
    return REAL(arc4random_uniform)(bound);
  if (bound < 2)
    return 0;
  do
    all_random_bytes(EVERETT_API_arc4random_uniform, &value, sizeof value);
  while (value < -bound % bound);
  return value % bound;
}
