//@ args: --preempt all
//@ paths: 6
// executions: 6
// Two threads store under a lock, a third loads without it. The stores are atomic, so that there is no race.
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *writer(void *number) {
  pthread_mutex_lock(&mutex);
  atomic_store(&x, (int)(intptr_t)number + 1);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *reader(void *none) {
  (void)atomic_load(&x);
  return none;
}

int main(void) {
  RUN(writer, writer, reader);
  return 0;
}
