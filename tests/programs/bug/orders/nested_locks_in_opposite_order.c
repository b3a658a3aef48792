//@ args: --preempt all
//@ opt: O1
//@ paths: 2
// executions: 2, and 1 stuck
// Two threads take two locks in opposite orders: one after the other, or each has one lock and waits for the other for
// ever.
#include <assert.h>

#include "../../posix/orders/threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *there(void *none) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  moved++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return none;
}

static void *back(void *none) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  moved++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return none;
}

int main(void) {
  RUN(there, back); // expect: bug deadlock
  assert(moved == 2);
  return 0;
}
