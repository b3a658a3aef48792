// <threads.h>: thrd, mtx, cnd, tss, call_once and their results.
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static thread_local int own = 3;
static int turn, inits, destroyed;

static void init(void) { inits++; }
static void destroy(void *value) { destroyed += *(int *)value; }

static int work(void *argument) {
  int me = *(int *)argument;
  call_once(&once, init);
  tss_set(key, argument);
  own += me;
  mtx_lock(&mutex);
  while (turn != me)
    cnd_wait(&changed, &mutex);
  turn++;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  if (me == 2)
    thrd_exit(own * 100);
  return own * 10 + (*(int *)tss_get(key) == me);
}

static int hold(void *argument) {
  (void)argument;
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (mtx_trylock(&mutex) == thrd_busy) * 10 + (mtx_timedlock(&mutex, &now) == thrd_timedout);
}

int main(void) {
  thrd_t threads[3];
  int numbers[3] = {0, 1, 2}, result;
  printf("%d", mtx_init(&mutex, mtx_timed) == thrd_success);
  printf("%d", cnd_init(&changed) == thrd_success);
  printf("%d\n", tss_create(&key, destroy) == thrd_success);
  for (int i = 2; i >= 0; i--)
    thrd_create(&threads[i], work, &numbers[i]);
  for (int i = 0; i < 3; i++) {
    printf("%d", thrd_join(threads[i], &result) == thrd_success);
    printf(" %d\n", result);
  }
  printf("inits %d destroyed %d own %d\n", inits, destroyed, own);
  mtx_lock(&mutex);
  thrd_create(&threads[0], hold, NULL);
  thrd_join(threads[0], &result);
  printf("%d\n", result);
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  printf("%d\n", cnd_timedwait(&changed, &mutex, &now) == thrd_timedout);
  mtx_unlock(&mutex);
  printf("%d\n", thrd_equal(thrd_current(), thrd_current()) != 0);
  mtx_t recursive;
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  printf("%d", mtx_lock(&recursive) == thrd_success);
  printf("%d\n", mtx_trylock(&recursive) == thrd_success);
  struct timespec nap = {0, 1000000};
  printf("%d\n", thrd_sleep(&nap, NULL));
  thrd_yield();
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  tss_delete(key);
  return 0;
}
