// futex: EAGAIN for another value, ETIMEDOUT, nobody to wake, and EINVAL of what makes no sense.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// As in linux/futex.h, which not every libc brings along.
enum {
  FUTEX_WAIT = 0,
  FUTEX_WAKE = 1,
  FUTEX_WAIT_BITSET = 9,
  FUTEX_WAKE_BITSET = 10,
  FUTEX_WAIT_PRIVATE = 128,
  FUTEX_WAKE_PRIVATE = 129,
  FUTEX_WAIT_BITSET_PRIVATE = 137,
  FUTEX_CLOCK_REALTIME = 256,
};

static uint32_t word = 7;

static void say(const char *what, long result) {
  const char *error = errno == EAGAIN      ? "EAGAIN"
                      : errno == ETIMEDOUT ? "ETIMEDOUT"
                      : errno == EINVAL    ? "EINVAL"
                                           : "other";
  printf("%s: %ld %s\n", what, result, result < 0 ? error : "");
}

static long futex(void *at, int op, uint32_t value, void *time, uint32_t bits) {
  return syscall(SYS_futex, at, op, value, time, NULL, bits);
}

int main(void) {
  struct timespec span = {0, 3000000}, zero = {0, 0}, negative = {-1, 0}, many = {0, 1000000000}, now;
  say("another value", futex(&word, FUTEX_WAIT, 8, NULL, 0));
  say("another value, private", futex(&word, FUTEX_WAIT_PRIVATE, 8, NULL, 0));
  say("a span", futex(&word, FUTEX_WAIT, 7, &span, 0));
  say("no time", futex(&word, FUTEX_WAIT_PRIVATE, 7, &zero, 0));
  say("negative time", futex(&word, FUTEX_WAIT, 7, &negative, 0));
  say("too many nanoseconds", futex(&word, FUTEX_WAIT, 7, &many, 0));
  say("bits until a past time", futex(&word, FUTEX_WAIT_BITSET, 7, &span, ~0u));
  clock_gettime(CLOCK_MONOTONIC, &now);
  now.tv_nsec += 2000000;
  if (now.tv_nsec >= 1000000000)
    now.tv_sec++, now.tv_nsec -= 1000000000;
  say("bits until a time to come", futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 7, &now, 1));
  clock_gettime(CLOCK_REALTIME, &now);
  say("bits, real time", futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 7, &now, 1));
  say("no bits", futex(&word, FUTEX_WAIT_BITSET, 7, &span, 0));
  say("wake no bits", futex(&word, FUTEX_WAKE_BITSET, 1, NULL, 0));
  say("wake nobody", futex(&word, FUTEX_WAKE, 10, NULL, 0));
  say("wake nobody, private", futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, 0));
  say("unaligned", futex((char *)&word + 1, FUTEX_WAIT, 7, &span, 0));
  say("unaligned wake", futex((char *)&word + 2, FUTEX_WAKE, 1, NULL, 0));
  return 0;
}
