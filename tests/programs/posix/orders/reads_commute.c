//@ args: --preempt all
//@ paths: 1
// executions: 1
// Three threads load the same two places, which nobody changes: all orders are the same execution.
#include <stdatomic.h>

#include "threads.h"

static atomic_int x, y;

static void *reader(void *none) {
  (void)atomic_load(&x);
  (void)atomic_load(&y);
  return none;
}

int main(void) {
  RUN(reader, reader, reader);
  return 0;
}
