//@ args: --preempt all
//@ paths: 6
// executions: 6
// The first thread adds as the others do, waits for them, and looks: three additions in any order.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *increment(void *none) {
  atomic_fetch_add(&x, 1);
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, increment, NULL);
  increment(NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(atomic_load(&x) == 3);
  return 0;
}
