/* Threads of C11 that hand a number on, one after the other. */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static int turn, sum, begun;

static void set_up(void) {
  begun++;
  assert(mtx_init(&lock, mtx_timed) == thrd_success && cnd_init(&changed) == thrd_success);
}

static int add(void *place) {
  int own = (int)(long)place;
  call_once(&flag, set_up);
  assert(mtx_lock(&lock) == thrd_success);
  while (turn != own) assert(cnd_wait(&changed, &lock) == thrd_success);
  sum = 10 * sum + own;
  turn++;
  assert(cnd_broadcast(&changed) == thrd_success && mtx_unlock(&lock) == thrd_success);
  if (own == 1) thrd_exit(own);
  thrd_yield();
  return own;
}

static int hold(void *unused) {
  (void)unused;
  assert(mtx_lock(&lock) == thrd_success);
  assert(thrd_sleep(&(struct timespec){.tv_sec = 5}, NULL) == 0);
  return mtx_unlock(&lock);
}

int main(void) {
  thrd_t threads[3], holder;
  struct timespec soon;
  int result, total = 0;
  for (long i = 0; i < 3; i++) assert(thrd_create(&threads[2 - i], add, (void *)(2 - i)) == thrd_success);
  for (int i = 0; i < 3; i++) {
    assert(thrd_join(threads[i], &result) == thrd_success);
    total += result;
  }
  assert(thrd_create(&holder, hold, NULL) == thrd_success);
  assert(thrd_sleep(&(struct timespec){.tv_sec = 1}, NULL) == 0);
  assert(mtx_trylock(&lock) == thrd_busy && timespec_get(&soon, TIME_UTC));
  soon.tv_sec++;
  assert(mtx_timedlock(&lock, &soon) == thrd_timedout);
  soon.tv_sec += 60;
  assert(mtx_timedlock(&lock, &soon) == thrd_success);
  soon.tv_sec -= 59;
  assert(cnd_timedwait(&changed, &lock, &soon) == thrd_timedout && thrd_join(holder, NULL) == thrd_success);
  assert(begun != 1 || sum != 12 || total != 3); // mark: guilty
  return 0;
}
