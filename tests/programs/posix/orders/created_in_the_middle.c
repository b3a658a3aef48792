//@ args: --preempt all
//@ paths: 3
// executions: 3
// The first thread adds before and after it creates another, which adds twice: only the second addition of the first
// has a choice.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *increment(void *none) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  pthread_t thread;
  atomic_fetch_add(&x, 1);
  pthread_create(&thread, NULL, increment, NULL);
  atomic_fetch_add(&x, 1);
  pthread_join(thread, NULL);
  assert(x == 4);
  return 0;
}
