/* The clock, and the calls that show it. */
#define _GNU_SOURCE
#include "peer.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/time.h>

/* The date at which a peer starts, as the other nodes do: the first second of 2020. */
static const int64_t START_NS = 1577836800LL * SECOND_NS;
/* The time that a turn of the conversation takes. */
static const int64_t TURN_NS = 10LL * MILLISECOND_NS;
/* Monotonic clocks are far from dates, so that deadlines of the one kind cannot be taken for the other. */
static const int64_t MONOTONIC_NS = 100LL * SECOND_NS;
/* A program that looks at the clock so often, and never waits, waits for the clock. */
static const unsigned SPIN_LOOKS = 10000;
static const int64_t SPIN_NS = 1000;

/* The time since the start of the peer. A signal handler may look at it at any moment. */
static _Atomic int64_t now;
/* The time to which waiting can move it, once the conversation has begun. The lock guards changes of both. */
static int64_t limit = INT64_MAX / 2;
static atomic_bool has_begun;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_uint looks;

static void enter(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) sched_yield();
  if (limit < now) limit = now;
}

static void leave(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

static void begin(void) {
  if (has_begun) return;
  limit = now + TURN_NS;
  has_begun = true;
}

void clock_begin(void) {
  enter();
  begin();
  leave();
}

bool clock_has_begun(void) { return has_begun; }

void clock_turn(void) {
  enter();
  begin();
  now = limit;
  limit += TURN_NS;
  leave();
}

void clock_slept(int64_t ns) {
  enter();
  now += ns;
  if (has_begun) limit += ns;
  leave();
}

void clock_idled(int64_t ns) {
  enter();
  now = ns < limit - now ? now + ns : limit;
  leave();
}

void clock_looked(void) {
  if (atomic_fetch_add_explicit(&looks, 1, memory_order_relaxed) >= SPIN_LOOKS) now += SPIN_NS;
}

void clock_waits(void) { atomic_store_explicit(&looks, 0, memory_order_relaxed); }

static bool is_monotonic(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
}

static bool is_date(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_TAI;
}

bool clock_shows(clockid_t clock, int64_t *ns) {
  if (is_monotonic(clock))
    *ns = MONOTONIC_NS + now;
  else if (is_date(clock))
    *ns = START_NS + now;
  else
    return false;
  return true;
}

clockid_t clock_of(const struct timespec *deadline) {
  return nanoseconds(deadline) < START_NS / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

struct timespec real_deadline(clockid_t clock, const struct timespec *deadline) {
  int64_t shown;
  if (!clock_shows(clock, &shown)) return *deadline;
  struct timespec real;
  NEXT(clock_gettime)(clock, &real);
  int64_t left = nanoseconds(deadline) - shown;
  return left <= 0 ? real : timespec_of(nanoseconds(&real) + left);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
  int64_t ns;
  clock_looked();
  if (!clock_shows(clock, &ns)) return NEXT(clock_gettime)(clock, time);
  *time = timespec_of(ns);
  return 0;
}

static int64_t date(void) {
  int64_t ns = 0;
  clock_looked();
  clock_shows(CLOCK_REALTIME, &ns);
  return ns;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int64_t ns = date();
  if (zone != NULL) *(struct timezone *)zone = (struct timezone){0, 0};
  *time = (struct timeval){ns / SECOND_NS, ns % SECOND_NS / 1000};
  return 0;
}

EXPORT time_t time(time_t *to) {
  time_t seconds = date() / SECOND_NS;
  if (to != NULL) *to = seconds;
  return seconds;
}

EXPORT int timespec_get(struct timespec *time, int base) {
  if (base != TIME_UTC) return 0;
  *time = timespec_of(date());
  return base;
}
