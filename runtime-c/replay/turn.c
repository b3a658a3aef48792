#include "turn.h"

struct everett_header *script;
__thread struct self self = {EVERETT_NONE, 0, 0, 0, 0, EVERETT_NONE, 0};

/* Calls of functions that are in the script only with a fault, by function. */
enum { APIS_MAX = 512 };
static uint32_t local_calls[APIS_MAX];
/* Calls of functions of stdio, which compilers replace by each other: they are counted together. */
static uint32_t stdio_calls;

#define TABLE_NAME(number, name, kind) [number] = #name,
static const char *const names[APIS_MAX] = {
    [EVERETT_START] = "START",
    [EVERETT_EXIT] = "exit",
    [EVERETT_THREAD_EXIT] = "pthread_exit",
    [EVERETT_PREEMPT] = "PREEMPT",
    [EVERETT_PAUSE] = "PAUSE",
    [EVERETT_SIGNAL] = "SIGNAL",
    [EVERETT_NODE_CRASH] = "NODE_CRASH",
    [EVERETT_RESTART] = "RESTART",
    [EVERETT_RACE] = "RACE",
    EVERETT_APIS(TABLE_NAME)};

const char *api_name(unsigned api) { return api < APIS_MAX && names[api] ? names[api] : "?"; }

struct everett_thread *thread_entry(uint32_t thread) {
  return (struct everett_thread *)((char *)script + script->threads_at) + thread;
}

static struct everett_node *node_entry(uint32_t node) {
  return (struct everett_node *)((char *)script + script->nodes_at) + node;
}

static const event *event_entry(uint32_t index) {
  return (const event *)((char *)script + script->events_at) + index;
}

static uint32_t index_of(const event *e) { return (uint32_t)(e - event_entry(0)); }

const event *event_partner(const event *e) {
  return e->partner < script->events ? event_entry(e->partner) : NULL;
}

struct everett_node *own_node(void) { return node_entry(thread_entry(self.thread)->node); }

const char *node_name(const struct everett_node *node) {
  return (const char *)script + node->name_at;
}

uint64_t patience_ns(void) { return (uint64_t)script->own[OWN_PATIENCE_MS] * 1000000u; }

static void futex_wait(uint32_t *word, uint32_t value, uint64_t ns) {
  struct timespec_ time = {(int64_t)(ns / 1000000000u), (int64_t)(ns % 1000000000u)};
  SYSTEM(futex, word, FUTEX_WAIT_, value, ns ? &time : NULL, 0, 0);
}

static void futex_wake(uint32_t *word) { SYSTEM(futex, word, FUTEX_WAKE_, 0x7fffffff, 0, 0, 0); }

_Noreturn void turn_sleep(void) {
  for (;;)
    host_sleep_ns(1000000000000u);
}

static void put_place(struct text *text, const event *e) {
  if (e->site_bytes > 0)
    text_put(text, " at %s", (const char *)script + e->site_at);
}

_Noreturn void turn_diverge(const char *format, ...) {
  /* Only the first thread that differs writes the text: differences of others may follow from the first one. */
  uint32_t free = 0;
  if (__atomic_compare_exchange_n(&script->guard, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    struct text text = {(char *)script + script->text_at, script->text_bytes, 0};
    uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
    text_put(&text, "event %u of %u, node %s: ", (uint64_t)head, (uint64_t)script->events,
             node_name(own_node()));
    va_list list;
    va_start(list, format);
    text_put_list(&text, format, list);
    va_end(list);
    if (head < script->events)
      put_place(&text, event_entry(head));
    __atomic_store_n(&script->state, SCRIPT_DIVERGED, __ATOMIC_SEQ_CST);
    futex_wake(&script->head);
    futex_wake(&script->state);
  }
  __atomic_store_n(&thread_entry(self.thread)->state, THREAD_DIFFERS, __ATOMIC_SEQ_CST);
  turn_sleep();
}

/* The state is stored last: it tells the conductor that the rest of the entry is up to date. */
static void enter(uint32_t state, unsigned api) {
  struct everett_thread *entry = thread_entry(self.thread);
  entry->api = api;
  __atomic_store_n(&entry->state, state, __ATOMIC_SEQ_CST);
}

static void advance(uint32_t to) {
  __atomic_store_n(&script->head, to, __ATOMIC_SEQ_CST);
  futex_wake(&script->head);
}

/* Work that a call has left to do while it waits, such as sending what did not fit. */
static int work_is_left(void) {
  if (self.background && !self.background(self.background_of))
    self.background = 0;
  return chores() | (self.background != 0);
}

/* Waits until the event at the head is this thread's. At the end of the script that is never. */
static const event *await(uint32_t state, unsigned api) {
  enter(state, api);
  for (;;) {
    uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
    uint32_t phase = __atomic_load_n(&script->state, __ATOMIC_SEQ_CST);
    const event *e = head < script->events ? event_entry(head) : NULL;
    if (phase != SCRIPT_RUNNING)
      turn_sleep();
    if (e && e->thread == self.thread && e->api == EVERETT_SIGNAL && !(e->flags & EVERETT_LOCAL)) {
      advance(head + 1);
      enter(THREAD_RUNS, 0);
      signal_deliver(e);
      enter(state, api);
    } else if (e && e->thread == self.thread && e->api != EVERETT_NODE_CRASH && e->api != EVERETT_RESTART) {
      enter(THREAD_RUNS, 0);
      return e;
    } else {
      /* Nobody wakes a thread for work that it has left, so it looks again every 2 ms; 0 waits for ever. */
      futex_wait(&script->head, head, work_is_left() ? 2000000u : 0);
    }
  }
}

static void expect(const event *e, unsigned api) {
  if (e->api != api || e->flags & EVERETT_LOCAL)
    turn_diverge("it calls %s, but the script expects that it calls %s%s", api_name(api),
                 api_name(e->api), e->flags & EVERETT_LOCAL ? " (which fails)" : "");
}

const event *turn_take(unsigned api) {
  const event *e = await(THREAD_ASKS, api);
  expect(e, api);
  return e;
}

const event *turn_take_any(int (*fits)(const event *e), const char *what) {
  const event *e = await(THREAD_ASKS, 0);
  if (!fits(e) || e->flags & EVERETT_LOCAL)
    turn_diverge("it calls %s, but the script expects that it calls %s", what, api_name(e->api));
  return e;
}

const event *turn_return(const event *blocks) {
  const event *e = blocks;
  /* A call that goes on after a signal handler may wait once more, or not at all. */
  do {
    advance(index_of(e) + 1);
    e = await(THREAD_BLOCKED, blocks->api);
    if (e->api != blocks->api || e->flags & EVERETT_LOCAL)
      turn_diverge("it waits in %s, but the script expects that it calls %s", api_name(blocks->api),
                   api_name(e->api));
  } while (e->flags & EVERETT_BLOCKS);
  self.background = 0;
  return e;
}

const event *turn_whole(unsigned api) {
  const event *e = turn_take(api);
  return e->flags & EVERETT_BLOCKS ? turn_return(e) : e;
}

/* The thread does not run until an event says that it goes on. */
static void pause_here(void) {
  const event *e = await(THREAD_BLOCKED, EVERETT_PAUSE);
  expect(e, EVERETT_PAUSE);
  advance(index_of(e) + 1);
}

void turn_pass(const event *done) {
  advance(index_of(done) + 1);
  if (done->flags & EVERETT_PAUSES)
    pause_here();
  turn_settle();
}

static void take_signal(const event *e) {
  int error = *__errno_location();
  advance(index_of(e) + 1);
  signal_deliver(e);
  *__errno_location() = error;
}

/* Others run before this thread makes a system call, and it makes no access by then that others could see. */
static int is_at_once(const event *e) {
  return e->api == EVERETT_PREEMPT && e->aux[0] == 0 && e->aux[1] == 1 && e->ordinal == 0;
}

void turn_settle(void) {
  for (const event *e; (e = turn_head());) {
    if (e->api == EVERETT_SIGNAL && !(e->flags & (EVERETT_BEFORE | EVERETT_LOCAL))) {
      take_signal(e);
    } else if (is_at_once(e)) {
      advance(index_of(e) + 1);
      pause_here();
    } else {
      return;
    }
  }
}

const event *turn_head(void) {
  uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
  const event *e = head < script->events ? event_entry(head) : NULL;
  return e && e->thread == self.thread ? e : NULL;
}

const event *turn_peek(unsigned api) {
  const event *e = turn_head();
  return e && e->api == api && !(e->flags & EVERETT_LOCAL) ? e : NULL;
}

int turn_comes(unsigned api) {
  for (uint32_t i = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST); i < script->events; i++) {
    const event *e = event_entry(i);
    if (e->thread == self.thread && e->api != EVERETT_SIGNAL)
      return e->api == api && !(e->flags & EVERETT_LOCAL);
  }
  return 0;
}

const event *turn_future(const event *blocks) {
  int is_interrupted = 0;
  for (uint32_t i = index_of(blocks) + 1; i < script->events; i++) {
    const event *e = event_entry(i);
    if (e->thread != blocks->thread)
      continue;
    int is_same = e->api == blocks->api && e->fd == blocks->fd && !(e->flags & EVERETT_LOCAL);
    if (is_same && (e->flags & EVERETT_RETURN || (is_interrupted && !(e->flags & EVERETT_BLOCKS))))
      return e;
    is_interrupted |= e->api == EVERETT_SIGNAL;
    if (!is_interrupted)
      return NULL;
  }
  return NULL;
}

int turn_executes(uint32_t thread) {
  for (uint32_t i = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST); i < script->events; i++)
    if (event_entry(i)->thread == thread && event_entry(i)->api != EVERETT_START)
      return event_entry(i)->api == EVERETT_API_execve && event_entry(i)->error == 0;
  return 0;
}

/* The number of events that are looked at for one datagram. */
enum { AHEAD_MAX = 20000 };

static int receives(const event *e, uint32_t sender) {
  int is_call = e->api == EVERETT_API_recv || e->api == EVERETT_API_recvfrom || e->api == EVERETT_API_recvmsg ||
                e->api == EVERETT_API_recvmmsg || e->api == EVERETT_API_read || e->api == EVERETT_API_readv;
  return is_call && e->partner == sender && e->flags & EVERETT_DATAGRAM && !(e->flags & EVERETT_BLOCKS);
}

static int makes_socket_of(const event *e, const event *receiver) {
  int is_made = (e->api == EVERETT_API_socket && e->result == receiver->fd) ||
                (e->api == EVERETT_API_bind && e->fd == receiver->fd);
  return is_made && thread_entry(e->thread)->node == thread_entry(receiver->thread)->node;
}

int turn_is_early(const event *sent) {
  uint32_t sender = index_of(sent);
  for (uint32_t i = sender + 1; i < script->events && i < sender + AHEAD_MAX; i++)
    for (uint32_t j = sender + 1; j < i && receives(event_entry(i), sender); j++)
      if (makes_socket_of(event_entry(j), event_entry(i)))
        return 1;
  return 0;
}

uint32_t event_number(const event *e) { return index_of(e); }

/* True if the program has written a byte of an event's data. */
static int is_written(const event *e, size_t at) {
  const uint32_t *pairs = (const uint32_t *)((const char *)script + e->unwritten_at);
  for (uint32_t i = 0; i < e->unwritten_bytes / 8; i++)
    if (at >= pairs[2 * i] && at - pairs[2 * i] < pairs[2 * i + 1])
      return 0;
  return 1;
}

int same_bytes(const event *e, const unsigned char *bytes, size_t size, size_t *at) {
  const unsigned char *expected = event_data(e);
  for (size_t first = *at; *at - first < size && *at < e->data_bytes; ++*at)
    if (bytes[*at - first] != expected[*at] && is_written(e, *at))
      return 0;
  return 1;
}

uint32_t shared_new(size_t size) {
  uint32_t units = (uint32_t)((size + SHARED_UNIT - 1) / SHARED_UNIT);
  uint32_t *used = &script->own[OWN_SHARED_USED];
  if (*used == 0)
    *used = 1;
  if (units > script->own[OWN_SHARED_UNITS] - *used)
    turn_diverge("there is no memory left for what has arrived");
  uint32_t made = *used;
  *used += units;
  return made;
}

/* The event at the head if it is of this thread, and of a call on files or memory of this number. */
static const event *local_event(uint32_t ordinal) {
  uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
  const event *e = head < script->events ? event_entry(head) : NULL;
  return e && e->thread == self.thread && e->flags & EVERETT_LOCAL && e->ordinal == ordinal ? e : NULL;
}

const event *turn_local(unsigned api) {
  if (!replaying() || self.apart)
    return NULL;
  uint32_t number = __atomic_add_fetch(&local_calls[api], 1, __ATOMIC_SEQ_CST);
  const event *e = local_event(number);
  while (e && e->api == EVERETT_SIGNAL && e->aux[3] == api) {
    take_signal(e);
    e = local_event(number);
  }
  return e && e->api == api ? e : NULL;
}

/* Within functions of stdio, events say which system call they are about. */
static const event *stdio_event(uint32_t ordinal) {
  const event *e = local_event(ordinal);
  return e && e->aux[1] != 0 ? e : NULL;
}

const event *turn_stdio(void) {
  return replaying() && !self.apart ? stdio_event(__atomic_add_fetch(&stdio_calls, 1, __ATOMIC_SEQ_CST)) : NULL;
}

const event *turn_stdio_next(const event *done) {
  advance(index_of(done) + 1);
  return stdio_event(done->ordinal);
}

int is_through(const event *e) {
  int is_stdio = e->aux[3] >= EVERETT_API_fopen && e->aux[3] <= EVERETT_API_scanf;
  int is_call = e->api == EVERETT_API_read || e->api == EVERETT_API_write || e->api == EVERETT_API_close;
  return is_call && (is_stdio || e->aux[3] == EVERETT_API_pclose) && !(e->flags & EVERETT_LOCAL);
}

const event *turn_through(void) {
  uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
  const event *e = head < script->events ? event_entry(head) : NULL;
  return e && e->thread == self.thread && is_through(e) ? e : NULL;
}

/* The preemption before or after the call of a number of a function that synchronises, or NULL. */
static const event *sync_event(uint32_t call, uint64_t is_after) {
  const event *e = turn_peek(EVERETT_PREEMPT);
  return e && e->aux[0] != 0 && e->aux[1] == is_after && e->ordinal == call ? e : NULL;
}

uint32_t turn_sync(void) {
  if (!replaying())
    return 0;
  /* Handlers of signals may run there, and make calls that come before this one. */
  for (const event *e; (e = sync_event(self.sync_calls + 1, 0));)
    turn_preempt(e);
  return ++self.sync_calls;
}

void turn_synced(uint32_t call) {
  for (const event *e; replaying() && (e = sync_event(call, 1));)
    turn_preempt(e);
}

void turn_preempt(const event *preemption) {
  advance(index_of(preemption) + 1);
  pause_here();
  turn_settle();
}

_Noreturn void turn_stop(const event *last) {
  enter(THREAD_BLOCKED, last->api);
  advance(index_of(last) + 1);
  turn_sleep();
}

void turn_start_process(uint32_t thread) {
  forget_chores();
  memset(local_calls, 0, sizeof local_calls);
  stdio_calls = 0;
  turn_start(thread);
}

void turn_start(uint32_t thread) {
  self = (struct self){thread, 0, 0, 0, 0, EVERETT_NONE, 0};
  struct everett_thread *entry = thread_entry(thread);
  entry->native_pid = (uint32_t)SYSTEM(getpid);
  entry->native_tid = (uint32_t)SYSTEM(gettid);
  turn_pass(turn_take(EVERETT_START));
}
