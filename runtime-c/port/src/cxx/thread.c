/* std::thread, std::condition_variable and std::call_once on POSIX threads. */
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

extern _Noreturn void _ZSt20__throw_system_errori(int);
extern void _ZdlPv(void *);

/* std::thread::_State: a virtual destructor in two forms, and _M_run. */
struct state {
  void (**functions)(struct state *);
};
enum { DESTROY_AND_DELETE = 1, RUN = 2 };

struct unique_lock {
  pthread_mutex_t *mutex;
  _Bool owns;
};

static void *run(void *p) {
  struct state *state = p;
  state->functions[RUN](state);
  state->functions[DESTROY_AND_DELETE](state);
  return 0;
}

/* std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)()) */
void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    pthread_t *this, struct state **state, void (*depend)(void)) {
  int error = pthread_create(this, 0, run, *state);
  if (error)
    _ZSt20__throw_system_errori(error);
  *state = 0;
}

/* std::thread::_State::~_State(), in its three forms */
void _ZNSt6thread6_StateD2Ev(struct state *this) {}
void _ZNSt6thread6_StateD1Ev(struct state *this) {}
void _ZNSt6thread6_StateD0Ev(struct state *this) { _ZdlPv(this); }

/* Its destructor is compiled into libstdc++, and so are its type and its virtual table. */
extern const void *const _ZTVN10__cxxabiv117__class_type_infoE[4];
extern void __cxa_pure_virtual(void);
const char _ZTSNSt6thread6_StateE[] = "NSt6thread6_StateE";
const void *const _ZTINSt6thread6_StateE[] = {_ZTVN10__cxxabiv117__class_type_infoE + 2,
                                              _ZTSNSt6thread6_StateE};
const void *const _ZTVNSt6thread6_StateE[] = {
    0, _ZTINSt6thread6_StateE, (const void *)_ZNSt6thread6_StateD1Ev,
    (const void *)_ZNSt6thread6_StateD0Ev, (const void *)__cxa_pure_virtual};

/* std::thread::join(), detach() */
void _ZNSt6thread4joinEv(pthread_t *this) {
  int error = *this ? pthread_join(*this, 0) : EINVAL;
  if (error)
    _ZSt20__throw_system_errori(error);
  *this = 0;
}

void _ZNSt6thread6detachEv(pthread_t *this) {
  int error = *this ? pthread_detach(*this) : EINVAL;
  if (error)
    _ZSt20__throw_system_errori(error);
  *this = 0;
}

/* std::thread::hardware_concurrency() */
unsigned _ZNSt6thread20hardware_concurrencyEv(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? count : 0;
}

/* std::condition_variable */
void _ZNSt18condition_variableC1Ev(pthread_cond_t *this) { pthread_cond_init(this, 0); }
void _ZNSt18condition_variableC2Ev(pthread_cond_t *this) { pthread_cond_init(this, 0); }
void _ZNSt18condition_variableD1Ev(pthread_cond_t *this) { pthread_cond_destroy(this); }
void _ZNSt18condition_variableD2Ev(pthread_cond_t *this) { pthread_cond_destroy(this); }
void _ZNSt18condition_variable10notify_oneEv(pthread_cond_t *this) { pthread_cond_signal(this); }
void _ZNSt18condition_variable10notify_allEv(pthread_cond_t *this) { pthread_cond_broadcast(this); }

/* std::condition_variable::wait(std::unique_lock<std::mutex>&) */
void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(pthread_cond_t *this,
                                                               struct unique_lock *lock) {
  pthread_cond_wait(this, lock->mutex);
}

/* The same moment on the clock that musl waits by. */
static struct timespec on_real_clock(clockid_t clock, const struct timespec *moment) {
  struct timespec here, there;
  clock_gettime(clock, &here);
  clock_gettime(CLOCK_REALTIME, &there);
  there.tv_sec += moment->tv_sec - here.tv_sec;
  there.tv_nsec += moment->tv_nsec - here.tv_nsec;
  if (there.tv_nsec < 0) {
    there.tv_nsec += 1000000000;
    there.tv_sec--;
  } else if (there.tv_nsec >= 1000000000) {
    there.tv_nsec -= 1000000000;
    there.tv_sec++;
  }
  return there;
}

/* Functions of glibc that waiting with a time limit is made of. */
int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *limit) {
  struct timespec real = on_real_clock(clock, limit);
  return pthread_cond_timedwait(cond, mutex, &real);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
  struct timespec real = on_real_clock(clock, limit);
  return pthread_mutex_timedlock(mutex, &real);
}

/* std::call_once leaves what is to be called here; pthread_once calls __once_proxy. */
_Thread_local void *_ZSt15__once_callable;
_Thread_local void (*_ZSt11__once_call)(void);

void __once_proxy(void) { _ZSt11__once_call(); }
