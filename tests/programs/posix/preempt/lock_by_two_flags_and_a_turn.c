//@ args: --preempt 2
// Peterson's lock: each raises its flag, gives way, and only then looks.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;
static int names[2] = {0, 1};

static void *enter(void *argument) {
  int me = *(int *)argument;
  atomic_store(&wants[me], 1);
  atomic_store(&turn, 1 - me);
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me)
    sched_yield();
  int others = atomic_fetch_add(&inside, 1);
  assert(others == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&wants[me], 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, enter, &names[1]);
  enter(&names[0]);
  pthread_join(thread, NULL);
  return 0;
}
