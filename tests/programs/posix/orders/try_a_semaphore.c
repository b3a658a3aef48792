//@ args: --preempt all
//@ paths: 5
// executions: 5
// One thread posts, two try to take. A failed attempt is a read.
#include <assert.h>
#include <semaphore.h>

#include "threads.h"

static sem_t tokens;
static int taken[3];

static void *post(void *none) {
  sem_post(&tokens);
  return none;
}

static void *attempt(void *number) {
  taken[(intptr_t)number] = sem_trywait(&tokens) == 0;
  return NULL;
}

int main(void) {
  sem_init(&tokens, 0, 0);
  RUN(post, attempt, attempt);
  assert(taken[1] + taken[2] <= 1);
  return 0;
}
