/* Whose turn it is: the heart of native replay.
 *
 * All processes of all nodes map one script (script.h). A thread that comes to a call of the table waits
 * until the event at the head of the script is its own, does what the event says, and moves the head on.
 * As giving up the turn is an event too, exactly one thread runs at any time: the one whose event is at
 * the head.
 *
 * Nothing here knows what calls do. */
#ifndef EVERETT_REPLAY_TURN_H
#define EVERETT_REPLAY_TURN_H

#include "script.h"
#include "system.h"

typedef struct everett_event event;

/* The state of a thread, in its entry of the script, for the conductor. */
enum thread_state {
  THREAD_ABSENT = 0,
  THREAD_RUNS = 1,
  THREAD_ASKS = 2,    /* wants to make a call, and it is not its turn */
  THREAD_BLOCKED = 3, /* is in a call that waits, in the script too */
  THREAD_ENDED = 4,
  THREAD_DIFFERS = 5, /* has done something else than the script says */
};

enum script_state { SCRIPT_RUNNING = 0, SCRIPT_DONE = 1, SCRIPT_DIVERGED = 2 };

/* Words of the header that are ours. Behind the script, all processes of all nodes share memory that the conductor
 * has made room for: things in it are named by their distance from its beginning in units of 16 bytes, and 0 is none. */
enum {
  OWN_LOOPBACK = 0, /* all nodes are on one network stack */
  OWN_PATIENCE_MS = 1,
  OWN_SHARED_UNITS = 2, /* size of the memory */
  OWN_SHARED_USED = 3,
  OWN_DATAGRAMS = 4, /* first and last datagram that has arrived */
  OWN_LAST_DATAGRAM = 5,
  OWN_INTERESTS = 6, /* what programs want to be told about their descriptors, the newest first */
};
enum { SHARED_UNIT = 16 };

/* The first descriptor of the library's own; the conductor gives each node the first two. */
enum { FIRST_OWN_DESCRIPTOR = 900, OWN_INTO_POOL = FIRST_OWN_DESCRIPTOR, OWN_FROM_POOL, FIRST_FREE_DESCRIPTOR };

/* The beginning of the memory behind a script. */
static inline uint64_t shared_at(const struct everett_header *header) {
  return (header->file_bytes + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
}

static inline uint64_t mapped_bytes(const struct everett_header *header) {
  return shared_at(header) + (uint64_t)header->own[OWN_SHARED_UNITS] * SHARED_UNIT;
}

/* Memory for something that all processes see; whose turn it is may ask. It is zero, and never given back. */
uint32_t shared_new(size_t size);
static inline void *shared_thing(uint32_t number) {
  extern struct everett_header *script;
  return number ? (char *)script + shared_at(script) + (uint64_t)number * SHARED_UNIT : NULL;
}

/* Things of the process that are done while its threads wait; whether something is left. */
int chores(void);

/* The same things are done by the process that this one is a copy of. */
void forget_chores(void);

/* This thread. */
struct self {
  uint32_t thread;
  uint32_t sync_calls;      /* calls of functions that synchronise, for preemptions */
  int (*background)(void *); /* work to be done while waiting; 0 if it is done */
  void *background_of;
  int apart; /* what it calls is no part of the program, and is not counted */
  uint32_t access_event; /* the event whose accesses are counted, from the last change of handlers on, and their number so far */
  uint32_t accesses;
};
extern __thread struct self self;

extern struct everett_header *script; /* NULL: no replay, and every call is passed on */

/* Threads that a library has made behind the program's back, as sanitizers do, have no number. */
static inline int replaying(void) { return script != NULL && self.thread != EVERETT_NONE; }

/* The event at the head, once it is this thread's; it must be of this function. */
const event *turn_take(unsigned api);

/* The same for an event that `fits` accepts. */
const event *turn_take_any(int (*fits)(const event *e), const char *what);

/* Gives up the turn after a BLOCKS event and waits for the RETURN event of the same call. */
const event *turn_return(const event *blocks);

/* turn_take, and turn_return if the call has to wait. */
const event *turn_whole(unsigned api);

/* The end of an event: the head moves on. */
void turn_pass(const event *done);

/* Runs handlers of signals that come now, and lets others run where this thread has to wait until they have. */
void turn_settle(void);

/* The event at the head if it is this thread's and of this function, or NULL; does not wait. */
const event *turn_peek(unsigned api);

/* True if the next event of this thread, apart from signals, is a call of this function. */
int turn_comes(unsigned api);

/* The same of any function. */
const event *turn_head(void);

/* The RETURN event that will come for a BLOCKS event, or NULL if none will. */
const event *turn_future(const event *blocks);

/* True if somebody receives the datagram that an event sends whose socket is not there yet: it is made while the
 * datagram is under way, as that takes a round. */
int turn_is_early(const event *sent);

/* The number of an event. */
uint32_t event_number(const event *e);

/* True if bytes are those of an event from a place on, as far as the program has written them itself: what it has not
 * is something else natively. If they are not, the first place that differs is in `at`. */
int same_bytes(const event *e, const unsigned char *bytes, size_t size, size_t *at);

/* Counts a call of a function that is in the script only if a fault happens to it. The event of the fault,
 * or NULL. */
const event *turn_local(unsigned api);

/* Counts a call of a function of stdio. The event of the first system call within it that a fault happens to, or
 * NULL; and the next one of the same call, after one is over. */
const event *turn_stdio(void);
const event *turn_stdio_next(const event *done);

/* True if an event is a system call of a function of stdio on a socket or pipe; and the event at the head, if it is
 * this thread's and such a one, or NULL. */
int is_through(const event *e);
const event *turn_through(void);

/* Counts a call of a function that synchronises; its number. Others may run before it, and after it. */
uint32_t turn_sync(void);
void turn_synced(uint32_t call);

/* Others run until the script says that this thread goes on. */
void turn_preempt(const event *preemption);

/* The first difference to the script: it is noted, and this thread stops for good. */
_Noreturn void turn_diverge(const char *format, ...);

/* A new thread: its number, and its START event. */
void turn_start(uint32_t thread);

/* The same for the first thread of a new process: calls are counted anew. */
void turn_start_process(uint32_t thread);

/* The end of the process. */
_Noreturn void _exit(int code);

/* Waits for ever. */
_Noreturn void turn_sleep(void);

/* The last event: this thread does nothing more. */
_Noreturn void turn_stop(const event *last);

/* True if the first thing that a thread does, once it has begun, is to execute another program. */
int turn_executes(uint32_t thread);

/* The event that belongs to another one, or NULL. */
const event *event_partner(const event *e);

static inline const unsigned char *event_data(const event *e) {
  return (const unsigned char *)script + e->data_at;
}

static inline const unsigned char *event_data2(const event *e) {
  return (const unsigned char *)script + e->data2_at;
}

const char *api_name(unsigned api);
struct everett_thread *thread_entry(uint32_t thread);
struct everett_node *own_node(void);
const char *node_name(const struct everett_node *node);

/* The time that something may take that has happened in the script, in nanoseconds. */
uint64_t patience_ns(void);

/* errno of the C library. */
int *__errno_location(void);
static inline long failed(int error) {
  *__errno_location() = error;
  return -1;
}

/* The result of a system call, as a function of C returns it. */
static inline long answered(long result) {
  return result < 0 && result > -4096 ? failed((int)-result) : result;
}

#define EXPORT __attribute__((visibility("default")))

/* The C library's own function of a name. */
void *dlsym(void *handle, const char *name);
#define RTLD_NEXT_ ((void *)-1L)
#define REAL(name)                                \
  ({                                              \
    static __typeof__(&name) real;                \
    if (!real)                                    \
      real = (__typeof__(&name))dlsym(RTLD_NEXT_, #name); \
    real;                                         \
  })

/* Signals that a program handles; see processes.c. */
void signal_deliver(const event *e);

/* A system call within a function of stdio, reported with the state of the thread that makes it. */
void stdio_call(void *context);

/* The environment of a program that is executed keeps what the replay needs. A thread goes on in the new program, which
 * has no START event; or it is new, and its events are START and execve. */
#define MARK_EXECUTED "+"
#define MARK_SPAWNED "!"
char **replay_environment(char *const *given, const char *mark, uint32_t thread);

/* True if an address of code is that of the C library or of this one, or nothing is replayed. */
int from_library(const void *caller);

/* The place of the code of this library. */
struct range {
  uintptr_t start, end;
};
struct range own_code(void);

#endif
