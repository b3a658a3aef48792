/* Threads, and what they synchronise by.
 *
 * A thread that has to wait does so for its turn, never for another thread: locks are tried, and those
 * who find them taken have an event that says so. Who is woken by whom follows from the order of events. */
#include "turn.h"

typedef void *routine(void *);
typedef int c11_routine(void *);

struct beginning {
  routine *start;
  void *argument;
  uint32_t thread;
};

/* Threads by the C library's names of them. */
enum { THREADS_MAX = 1024 };
static struct {
  unsigned long name;
  uint32_t thread;
} made_threads[THREADS_MAX];
static uint32_t made_count;

static uint32_t thread_named(unsigned long name) {
  for (uint32_t i = made_count; i > 0; i--)
    if (made_threads[i - 1].name == name)
      return made_threads[i - 1].thread;
  return EVERETT_NONE;
}

_Noreturn EXPORT void pthread_exit(void *result);

/* The end of a thread, unless its process ends with it. */
static void thread_ends(void) {
  const event *e = turn_take(EVERETT_THREAD_EXIT);
  thread_entry(self.thread)->state = THREAD_ENDED;
  turn_pass(e);
  self.thread = EVERETT_NONE;
}

static void *begin(void *argument) {
  struct beginning *given = argument, own = *given;
  __atomic_store_n(&given->start, NULL, __ATOMIC_SEQ_CST);
  turn_start(own.thread);
  void *result = own.start(own.argument);
  thread_ends();
  return result;
}

/* A thread of C11, which ends with a number. */
static int begin_c11(void *argument) {
  struct beginning *given = argument, own = *given;
  __atomic_store_n(&given->start, NULL, __ATOMIC_SEQ_CST);
  turn_start(own.thread);
  int result = ((c11_routine *)(void *)own.start)(own.argument);
  thread_ends();
  return result;
}

/* A thread was made, or `native` is why not: waits until it has begun. */
static void note_made(const void *made, int native, struct beginning *beginning) {
  if (native != 0)
    turn_diverge("no thread can be made: error %d", (int64_t)native);
  while (__atomic_load_n(&beginning->start, __ATOMIC_SEQ_CST))
    host_sleep_ns(10000);
  if (made_count == THREADS_MAX)
    turn_diverge("it makes more than %u threads", (uint64_t)THREADS_MAX);
  memcpy(&made_threads[made_count].name, made, sizeof made_threads[0].name);
  made_threads[made_count++].thread = beginning->thread;
}

EXPORT int pthread_create(void *made, const void *attributes, routine *start, void *argument) {
  if (!replaying())
    return REAL(pthread_create)(made, attributes, start, argument);
  const event *e = turn_whole(EVERETT_API_pthread_create);
  int error = e->error;
  if (error == 0) {
    struct beginning beginning = {start, argument, (uint32_t)e->aux[0]};
    note_made(made, REAL(pthread_create)(made, attributes, begin, &beginning), &beginning);
  }
  turn_pass(e);
  return error;
}

/* The results of functions of C11, in musl and in glibc. */
enum { C11_BUSY = 1, C11_ERROR = 2, C11_NO_MEMORY = 3, C11_TIMED_OUT = 4 };

static int c11_result(int error) {
  switch (error) {
  case 0: return 0;
  case E_BUSY: return C11_BUSY;
  case E_TIMEDOUT: return C11_TIMED_OUT;
  default: return C11_ERROR;
  }
}

EXPORT int thrd_create(void *made, c11_routine *start, void *argument) {
  if (!replaying())
    return REAL(thrd_create)(made, start, argument);
  const event *e = turn_whole(EVERETT_API_pthread_create);
  int error = e->error;
  if (error == 0) {
    struct beginning beginning = {(routine *)(void *)start, argument, (uint32_t)e->aux[0]};
    note_made(made, REAL(thrd_create)(made, begin_c11, &beginning), &beginning);
  }
  turn_pass(e);
  return error == E_AGAIN ? C11_NO_MEMORY : c11_result(error);
}

_Noreturn EXPORT void pthread_exit(void *result) {
  if (replaying())
    thread_ends();
  REAL(pthread_exit)(result);
  turn_sleep();
}

_Noreturn EXPORT void thrd_exit(int result) {
  if (replaying())
    thread_ends();
  REAL(thrd_exit)(result);
  turn_sleep();
}

/* A call of this kind: others may run before it does anything, and after it. */
struct point {
  uint32_t call;
};

static struct point before(void) { return (struct point){turn_sync()}; }

static void after(struct point point) { turn_synced(point.call); }

/* The error of a wait that is over. */
static int block(unsigned api) {
  const event *e = turn_take(api);
  if (e->flags & EVERETT_BLOCKS)
    e = turn_return(e);
  int error = e->error;
  turn_pass(e);
  return error;
}

/* The same for a wait that has an end: if that has come already, the script knows of no wait. */
static int block_in_time(unsigned api) {
  return turn_peek(api) || turn_peek(EVERETT_SIGNAL) ? block(api) : E_TIMEDOUT;
}

/* Takes something that others may hold: as long as it is busy the script says that this thread waits. */
static int acquire(unsigned api, int (*try)(void *), void *of, int (*wait)(unsigned api)) {
  int error;
  while ((error = try(of)) == E_BUSY || error == E_AGAIN) {
    int woken = wait(api);
    if (woken != 0)
      return woken;
  }
  return error;
}

#define TRYING(function) \
  static int trying_##function(void *of) { return REAL(function)(of); }
#define PLAIN(function)               \
  EXPORT int function(void *of) {     \
    struct point point = before();    \
    int result = REAL(function)(of);  \
    after(point);                     \
    return result;                    \
  }
#define ACQUIRES(function, try)                                                   \
  EXPORT int function(void *of) {                                                 \
    if (!replaying())                                                             \
      return REAL(function)(of);                                                  \
    struct point point = before();                                                \
    int result = acquire(EVERETT_API_##function, trying_##try, of, block);        \
    after(point);                                                                 \
    return result;                                                                \
  }
#define ACQUIRES_IN_TIME(function, try)                                           \
  EXPORT int function(void *of, const void *time) {                               \
    if (!replaying())                                                             \
      return REAL(function)(of, time);                                            \
    struct point point = before();                                                \
    int result = acquire(EVERETT_API_##function, trying_##try, of, block_in_time); \
    after(point);                                                                 \
    return result;                                                                \
  }

PLAIN(pthread_mutex_trylock)
PLAIN(pthread_mutex_unlock)
PLAIN(pthread_cond_signal)
PLAIN(pthread_cond_broadcast)
PLAIN(pthread_rwlock_tryrdlock)
PLAIN(pthread_rwlock_trywrlock)
PLAIN(pthread_rwlock_unlock)
PLAIN(pthread_spin_trylock)
PLAIN(pthread_spin_unlock)
PLAIN(sem_trywait)
PLAIN(sem_post)

TRYING(pthread_mutex_trylock)
TRYING(pthread_rwlock_tryrdlock)
TRYING(pthread_rwlock_trywrlock)
TRYING(pthread_spin_trylock)

ACQUIRES(pthread_mutex_lock, pthread_mutex_trylock)
ACQUIRES(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock)
ACQUIRES(pthread_rwlock_wrlock, pthread_rwlock_trywrlock)
ACQUIRES(pthread_spin_lock, pthread_spin_trylock)
ACQUIRES_IN_TIME(pthread_mutex_timedlock, pthread_mutex_trylock)
ACQUIRES_IN_TIME(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock)
ACQUIRES_IN_TIME(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock)

/* Semaphores tell of failures by errno. */
static int trying_sem(void *of) { return REAL(sem_trywait)(of) == 0 ? 0 : *__errno_location(); }

static int sem_taken(unsigned api, void *of, int (*wait)(unsigned api)) {
  struct point point = before();
  int error = acquire(api, trying_sem, of, wait);
  after(point);
  return error == 0 ? 0 : (int)failed(error);
}

EXPORT int sem_wait(void *of) {
  return replaying() ? sem_taken(EVERETT_API_sem_wait, of, block) : REAL(sem_wait)(of);
}

EXPORT int sem_timedwait(void *of, const void *time) {
  return replaying() ? sem_taken(EVERETT_API_sem_timedwait, of, block_in_time) : REAL(sem_timedwait)(of, time);
}

/* The lock is given up, and taken again once the script says that the thread is woken. */
static int condition(unsigned api, void *mutex, int (*wait)(unsigned api)) {
  struct point point = before();
  REAL(pthread_mutex_unlock)(mutex);
  int error = wait(api);
  int locked;
  while ((locked = REAL(pthread_mutex_trylock)(mutex)) == E_BUSY)
    block(api);
  after(point);
  return error != 0 ? error : locked;
}

EXPORT int pthread_cond_wait(void *of, void *mutex) {
  return replaying() ? condition(EVERETT_API_pthread_cond_wait, mutex, block) : REAL(pthread_cond_wait)(of, mutex);
}

EXPORT int pthread_cond_timedwait(void *of, void *mutex, const void *time) {
  return replaying() ? condition(EVERETT_API_pthread_cond_timedwait, mutex, block_in_time)
                     : REAL(pthread_cond_timedwait)(of, mutex, time);
}

/* Those of C11 are the same objects, in musl and in glibc. */
EXPORT int mtx_lock(void *of) {
  return replaying() ? c11_result(pthread_mutex_lock(of)) : REAL(mtx_lock)(of);
}

EXPORT int mtx_timedlock(void *of, const void *time) {
  return replaying() ? c11_result(pthread_mutex_timedlock(of, time)) : REAL(mtx_timedlock)(of, time);
}

PLAIN(mtx_trylock)
PLAIN(mtx_unlock)
PLAIN(cnd_signal)
PLAIN(cnd_broadcast)

EXPORT int cnd_wait(void *of, void *mutex) {
  return replaying() ? c11_result(pthread_cond_wait(of, mutex)) : REAL(cnd_wait)(of, mutex);
}

EXPORT int cnd_timedwait(void *of, void *mutex, const void *time) {
  return replaying() ? c11_result(pthread_cond_timedwait(of, mutex, time)) : REAL(cnd_timedwait)(of, mutex, time);
}

/* Nobody but us looks at what tells whether something was done: it is not begun, under way, or done. */
static void do_once(int *of, void (*function)(void)) {
  enum { UNDER_WAY = 1, DONE = 2 };
  struct point point = before();
  while (*of == UNDER_WAY)
    block(EVERETT_API_pthread_once);
  if (*of != DONE) {
    *of = UNDER_WAY;
    function();
    *of = DONE;
  }
  after(point);
}

EXPORT int pthread_once(int *of, void (*function)(void)) {
  if (!replaying() || from_library(__builtin_return_address(0)))
    return REAL(pthread_once)(of, function);
  do_once(of, function);
  return 0;
}

EXPORT void call_once(int *of, void (*function)(void)) {
  if (replaying())
    do_once(of, function);
  else
    REAL(call_once)(of, function);
}

/* Barriers are never waited at natively: those who wait are counted here. */
enum { BARRIERS_MAX = 64, SERIAL = -1 };
static struct {
  void *of;
  unsigned wanted, arrived;
} barriers[BARRIERS_MAX];

EXPORT int pthread_barrier_init(void *of, const void *attributes, unsigned count) {
  int error = REAL(pthread_barrier_init)(of, attributes, count);
  int place = 0;
  while (place < BARRIERS_MAX && barriers[place].of && barriers[place].of != of)
    place++;
  if (error != 0 || !replaying())
    return error;
  if (place == BARRIERS_MAX)
    turn_diverge("it has more than %u barriers", (uint64_t)BARRIERS_MAX);
  barriers[place].of = of;
  barriers[place].wanted = count;
  barriers[place].arrived = 0;
  return 0;
}

EXPORT int pthread_barrier_wait(void *of) {
  if (!replaying())
    return REAL(pthread_barrier_wait)(of);
  struct point point = before();
  int place = 0;
  while (place < BARRIERS_MAX && barriers[place].of != of)
    place++;
  if (place == BARRIERS_MAX)
    turn_diverge("it waits at a barrier that was not made by pthread_barrier_init");
  /* In musl the first one to come is the one that is told apart. */
  int is_first = barriers[place].arrived++ == 0;
  if (barriers[place].arrived == barriers[place].wanted)
    barriers[place].arrived = 0;
  else
    block(EVERETT_API_pthread_barrier_wait);
  after(point);
  return is_first ? SERIAL : 0;
}

/* The thread has had its last turn when it is joined; what is left of it ends by itself. */
static int has_ended(unsigned long thread) {
  uint32_t number = thread_named(thread);
  return number == EVERETT_NONE || thread_entry(number)->state == THREAD_ENDED;
}

static void await_end(unsigned long thread) {
  if (!has_ended(thread))
    block(EVERETT_API_pthread_join);
}

EXPORT int pthread_join(unsigned long thread, void **result) {
  if (!replaying())
    return REAL(pthread_join)(thread, result);
  struct point point = before();
  await_end(thread);
  int error = REAL(pthread_join)(thread, result);
  after(point);
  return error;
}

EXPORT int pthread_tryjoin_np(unsigned long thread, void **result) {
  if (!replaying())
    return REAL(pthread_tryjoin_np)(thread, result);
  struct point point = before();
  int error = has_ended(thread) ? REAL(pthread_join)(thread, result) : E_BUSY;
  after(point);
  return error;
}

EXPORT int pthread_timedjoin_np(unsigned long thread, void **result, const void *time) {
  if (!replaying())
    return REAL(pthread_timedjoin_np)(thread, result, time);
  struct point point = before();
  int error = has_ended(thread) ? 0 : block_in_time(EVERETT_API_pthread_join);
  if (error == 0)
    error = REAL(pthread_join)(thread, result);
  after(point);
  return error;
}

EXPORT int thrd_join(unsigned long thread, int *result) {
  if (!replaying())
    return REAL(thrd_join)(thread, result);
  struct point point = before();
  await_end(thread);
  int error = REAL(thrd_join)(thread, result);
  after(point);
  return error;
}
