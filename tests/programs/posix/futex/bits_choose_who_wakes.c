// FUTEX_WAKE_BITSET wakes only those who wait for one of its bits.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// As in linux/futex.h, which not every libc brings along.
enum {
  FUTEX_WAIT_BITSET_PRIVATE = 137,
  FUTEX_WAKE_BITSET_PRIVATE = 138,
};

static uint32_t word;
static atomic_int awake[3];

static void *sleeper(void *argument) {
  intptr_t me = (intptr_t)argument;
  long result = syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 1u << me);
  awake[me] = result == 0 ? 1 : -1;
  return NULL;
}

static void wake(const char *what, unsigned bits, int count) {
  int woken = 0;
  while (woken < count) {
    long now = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, count - woken, NULL, NULL, bits);
    woken += (int)now;
    sched_yield();
  }
  while (awake[0] + awake[1] + awake[2] < __builtin_popcount(bits))
    sched_yield();
  printf("%s: %d, awake %d %d %d\n", what, woken, awake[0], awake[1], awake[2]);
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, sleeper, (void *)i);
  wake("the second", 2, 1);
  wake("the first or second", 3, 1);
  wake("anyone", 7, 1);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
