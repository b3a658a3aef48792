/* The library that is loaded into live peers: a clock that the conversation drives, and fixed random bytes.
 *
 * A peer is real, and the engine takes its time between two messages to it. The clock that the peer sees
 * has nothing to do with that time:
 *
 * - It begins with the same date in every session.
 * - A turn of the conversation, from one message to the peer to the next one behind an answer, takes
 *   TURN_NS, however long it really takes. So what a peer says about time is the same in every session, and
 *   its timeouts do not pass while the engine thinks, unless they are that short, or the conversation is
 *   that long.
 * - Sleeping takes as long as it does.
 * - Waiting for something to happen really takes as long as its time limit says, but moves the clock at most
 *   to the end of the turn. Before the peer can be reached, it moves it as it does elsewhere, so that a peer
 *   can start by timers.
 *
 * What programs find out without the C library (other languages' runtimes, static programs) stays as it is.
 */
#ifndef PEER_H
#define PEER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* The function that the program would call without this library. */
#define NEXT(name)                                                                                             \
  ({                                                                                                           \
    static __typeof__(&name) next_##name;                                                                      \
    if (next_##name == NULL) next_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                         \
    next_##name;                                                                                               \
  })

enum { SECOND_NS = 1000000000, MILLISECOND_NS = 1000000 };

/* The peer can be reached by the other nodes, or reaches them. */
void clock_begin(void);
/* Returns true if it could before. */
bool clock_has_begun(void);
/* The other nodes speak after the peer has. */
void clock_turn(void);
/* The peer has slept for a time. */
void clock_slept(int64_t ns);
/* The peer has waited for a time, in vain. */
void clock_idled(int64_t ns);
/* The peer has looked whether something has happened, without waiting. */
void clock_looked(void);
/* The peer begins to wait. */
void clock_waits(void);
/* Returns true if a clock is one that this library has, and the time on it. */
bool clock_shows(clockid_t clock, int64_t *ns);

/* The real time on one of those clocks at which the peer's clock would show a deadline. */
struct timespec real_deadline(clockid_t clock, const struct timespec *deadline);
/* The clock that a deadline is meant for. */
clockid_t clock_of(const struct timespec *deadline);

/* Fixed random bytes. */
void fill_random(void *buffer, size_t size);

static inline int64_t nanoseconds(const struct timespec *time) {
  int64_t ns;
  if (__builtin_mul_overflow((int64_t)time->tv_sec, (int64_t)SECOND_NS, &ns)) return INT64_MAX / 2;
  return ns > INT64_MAX / 2 ? INT64_MAX / 2 : ns + time->tv_nsec;
}

static inline struct timespec timespec_of(int64_t ns) {
  return (struct timespec){ns / SECOND_NS, ns % SECOND_NS};
}

#endif
