// A failed call in one thread leaves the errno of another alone.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int turn;
static int other_start = -1, other_end;

// Semaphores may set errno even when they succeed; this does not.
static void await(int step) {
  while (turn != step)
    sched_yield();
}

static void *fail(void *none) {
  other_start = errno;
  await(1);
  close(-1);
  turn = 2;
  await(3);
  other_end = errno;
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fail, NULL);
  errno = ERANGE;
  turn = 1;
  await(2);
  int kept = errno, result = chdir("/no/such/place"), mine = errno;
  turn = 3;
  pthread_join(thread, NULL);
  printf("kept %d, then %d %d\n", kept == ERANGE, result, mine == ENOENT);
  printf("other started with %d, has EBADF %d\n", other_start, other_end == EBADF);
  return 0;
}
