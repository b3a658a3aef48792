//@ args: --preempt all
//@ paths: 3
// executions: 3
// Three threads ask for one initialisation: any of them makes it, and the others find it made, in no order that could
// be told.
#include <assert.h>

#include "threads.h"

static pthread_once_t first = PTHREAD_ONCE_INIT;
static int x;

static void initialise(void) {
  x++;
}

static void *use(void *none) {
  pthread_once(&first, initialise);
  assert(x == 1);
  return none;
}

int main(void) {
  RUN(use, use, use);
  return 0;
}
