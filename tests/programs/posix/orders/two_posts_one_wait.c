//@ args: --preempt all
//@ paths: 4
// executions: 4
// Two threads post, a third waits: the posts come in either order, and the wait is between them or after both.
#include <assert.h>
#include <semaphore.h>

#include "threads.h"

static sem_t tokens;

static void *post(void *none) {
  sem_post(&tokens);
  return none;
}

static void *take(void *none) {
  sem_wait(&tokens);
  return none;
}

int main(void) {
  sem_init(&tokens, 0, 0);
  RUN(post, post, take);
  int left;
  assert(sem_getvalue(&tokens, &left) == 0 && left == 1);
  return 0;
}
