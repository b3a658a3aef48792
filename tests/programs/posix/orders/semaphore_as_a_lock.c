//@ args: --preempt all
//@ paths: 2
// executions: 2
// A semaphore serves as a lock that a third thread opens: the two others go through in either order.
#include <assert.h>
#include <semaphore.h>

#include "threads.h"

static sem_t open_sign;
static int x;

static void *opener(void *none) {
  sem_post(&open_sign);
  return none;
}

static void *use(void *none) {
  sem_wait(&open_sign);
  x++;
  sem_post(&open_sign);
  return none;
}

int main(void) {
  sem_init(&open_sign, 0, 0);
  RUN(opener, use, use);
  assert(x == 2);
  return 0;
}
