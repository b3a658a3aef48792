//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads read under a read-write lock, one writes. Read locks commute: each reader is before the writer or after
// it.
#include <assert.h>

#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer(void *none) {
  pthread_rwlock_wrlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  return none;
}

static void *reader(void *none) {
  pthread_rwlock_rdlock(&lock);
  int seen = x;
  pthread_rwlock_unlock(&lock);
  assert(seen >= 0 && seen <= 2);
  return none;
}

int main(void) {
  RUN(writer, reader, reader);
  assert(x == 1);
  return 0;
}
