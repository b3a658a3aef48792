// FUTEX_CMP_REQUEUE moves waiters to another word without waking them, if the value is as told.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// As in linux/futex.h, which not every libc brings along.
enum {
  FUTEX_WAIT_PRIVATE = 128,
  FUTEX_WAKE_PRIVATE = 129,
  FUTEX_CMP_REQUEUE_PRIVATE = 132,
};

enum { THREADS = 3 };

static uint32_t from = 5, to = 6;
static atomic_int awake;

static void *sleeper(void *none) {
  if (syscall(SYS_futex, &from, FUTEX_WAIT_PRIVATE, 5, NULL, NULL, 0) == 0)
    awake++;
  return none;
}

int main(void) {
  long wrong = syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, 0, 9l, &to, 4);
  printf("%ld %s\n", wrong, errno == EAGAIN ? "EAGAIN" : "other");
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, sleeper, NULL);
  long moved = 0;
  while (moved < THREADS) {
    moved += syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, 0, 9l, &to, 5);
    sched_yield();
  }
  printf("moved %ld, awake %d\n", moved, awake);
  printf("%ld\n", syscall(SYS_futex, &from, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0));
  printf("%ld\n", syscall(SYS_futex, &to, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
  printf("%ld\n", syscall(SYS_futex, &to, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("awake %d\n", awake);
  return 0;
}
