//@ args: --preempt all
//@ paths: 6
// executions: 6
// Two threads write under a read-write lock, one reads: before, between or after the writers.
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
  RUN(writer, writer, reader);
  assert(x == 2);
  return 0;
}
