//@ args: --preempt all
//@ paths: 3
// executions: 3
// Two threads take two locks in opposite orders, but never two at once. That each is the second at its first lock is
// not possible.
#include <assert.h>

#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *there(void *none) {
  pthread_mutex_lock(&a);
  x++;
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  y++;
  pthread_mutex_unlock(&b);
  return none;
}

static void *back(void *none) {
  pthread_mutex_lock(&b);
  y++;
  pthread_mutex_unlock(&b);
  pthread_mutex_lock(&a);
  x++;
  pthread_mutex_unlock(&a);
  return none;
}

int main(void) {
  RUN(there, back);
  assert(x == 2 && y == 2);
  return 0;
}
