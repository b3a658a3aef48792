//@ args: --preempt all
//@ paths: 6
// executions: 6
// Three threads use a plain variable under one lock: only the order of the lock counts.
#include <assert.h>

#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, most;

static void *a(void *none) {
  pthread_mutex_lock(&mutex);
  if (x == 0) most = 1;
  x = 1;
  pthread_mutex_unlock(&mutex);
  return none;
}

static void *b(void *none) {
  pthread_mutex_lock(&mutex);
  if (x == 0) most = 2;
  x = 2;
  pthread_mutex_unlock(&mutex);
  return none;
}

static void *c(void *none) {
  pthread_mutex_lock(&mutex);
  int seen = x;
  pthread_mutex_unlock(&mutex);
  assert(seen >= 0 && seen <= 2);
  return none;
}

int main(void) {
  RUN(a, b, c);
  assert(most + x == 3);
  return 0;
}
