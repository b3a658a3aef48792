// pthread_cond_timedwait: ETIMEDOUT by either clock, EINVAL, in time when signalled.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready;

static struct timespec later(clockid_t clock, long nanoseconds, long seconds) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += seconds;
  t.tv_nsec += nanoseconds;
  if (t.tv_nsec >= 1000000000)
    t.tv_sec++, t.tv_nsec -= 1000000000;
  return t;
}

static int passed(clockid_t clock, struct timespec when) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec > when.tv_sec || (t.tv_sec == when.tv_sec && t.tv_nsec >= when.tv_nsec);
}

static void *signaller(void *none) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC};
  for (int i = 0; i < 2; i++) {
    pthread_condattr_t attributes;
    clockid_t clock;
    pthread_t thread;
    pthread_condattr_init(&attributes);
    printf("%d", pthread_condattr_setclock(&attributes, clocks[i]));
    pthread_condattr_getclock(&attributes, &clock);
    printf(" %d\n", clock == clocks[i]);
    pthread_cond_init(&changed, &attributes);
    pthread_mutex_lock(&mutex);
    struct timespec when = later(clock, 4000000, 0), past = {0, 0}, bad = {0, 1000000000};
    int error;
    do
      error = pthread_cond_timedwait(&changed, &mutex, &when);
    while (error == 0);
    printf("%s, not before %d\n", error == ETIMEDOUT ? "ETIMEDOUT" : "other", passed(clock, when));
    printf("%s\n", pthread_cond_timedwait(&changed, &mutex, &past) == ETIMEDOUT ? "ETIMEDOUT" : "other");
    printf("%s\n", pthread_cond_timedwait(&changed, &mutex, &bad) == EINVAL ? "EINVAL" : "other");
    printf("held %d\n", pthread_mutex_trylock(&mutex) == EBUSY);
    ready = 0;
    pthread_create(&thread, NULL, signaller, NULL);
    when = later(clock, 0, 1000);
    for (error = 0; !ready && error == 0;)
      error = pthread_cond_timedwait(&changed, &mutex, &when);
    printf("signalled %d %d\n", ready, error);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&changed);
    pthread_condattr_destroy(&attributes);
  }
  return 0;
}
