//@ args: --preempt all
//@ paths: 6
// executions: 6
// Three threads exchange what is in one place: each order is an execution.
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void *swap(void *number) {
  (void)atomic_exchange(&x, (int)(intptr_t)number + 1);
  return NULL;
}

int main(void) {
  RUN(swap, swap, swap);
  return 0;
}
