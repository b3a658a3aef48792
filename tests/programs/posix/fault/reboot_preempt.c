//@ native: no
//@ args: --preempt 1 --max-reboots 1
// Threads are preempted before a crash and after it, and again when the test is run.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int turn;

static void *mark(void *name) {
  if (atomic_fetch_add(&turn, 1) == 0) assert(close(open(name, O_WRONLY | O_CREAT, 0600)) == 0);
  sync();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  printf("%d %d\n", access("a", F_OK), access("b", F_OK));
  assert(pthread_create(&threads[0], NULL, mark, "a") == 0);
  assert(pthread_create(&threads[1], NULL, mark, "b") == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(close(open("end", O_WRONLY | O_CREAT, 0600)) == 0);
  printf("%d %d\n", access("a", F_OK), access("b", F_OK));
  return 0;
}
