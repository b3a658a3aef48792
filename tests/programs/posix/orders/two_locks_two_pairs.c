//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads use one lock and two others another: two orders of each lock, which do not depend on each other.
#include <assert.h>

#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *first(void *none) {
  pthread_mutex_lock(&a);
  x++;
  pthread_mutex_unlock(&a);
  return none;
}

static void *second(void *none) {
  pthread_mutex_lock(&b);
  y++;
  pthread_mutex_unlock(&b);
  return none;
}

int main(void) {
  RUN(first, first, second, second);
  assert(x == 2 && y == 2);
  return 0;
}
