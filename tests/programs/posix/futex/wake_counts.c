// FUTEX_WAKE wakes as many as it is told and says how many it woke.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// As in linux/futex.h, which not every libc brings along.
enum {
  FUTEX_WAIT_PRIVATE = 128,
  FUTEX_WAKE_PRIVATE = 129,
};

enum { THREADS = 4 };

static atomic_uint word;
static atomic_int woken;

static long futex(int op, unsigned value) {
  return syscall(SYS_futex, &word, op, value, NULL, NULL, 0);
}

static void *sleeper(void *none) {
  // The word never changes: whoever leaves was woken.
  if (futex(FUTEX_WAIT_PRIVATE, 0) == 0)
    woken++;
  return none;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, sleeper, NULL);
  for (int total = 0; total < 2;) {
    long now = futex(FUTEX_WAKE_PRIVATE, 1);
    if (now < 0 || now > 1)
      printf("wrong: %ld\n", now);
    total += (int)now;
    sched_yield();
  }
  while (woken < 2)
    sched_yield();
  printf("two are awake: %d\n", woken);
  int rest = 0;
  while (rest < THREADS - 2) {
    rest += (int)futex(FUTEX_WAKE_PRIVATE, 1000);
    sched_yield();
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("rest %d, all %d\n", rest, woken);
  return 0;
}
