//@ args: --preempt all
//@ paths: 4
// executions: 4
// Where no preemption is allowed, two threads with three additions each run one after the other: 2 orders. Behind that, two more threads
// run in every order: 2 for each.
#include <everett.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int sum;

static void *add_thrice(void *none) {
  for (int i = 0; i < 3; i++) atomic_fetch_add(&sum, 1);
  return none;
}

static void *add(void *none) {
  atomic_fetch_add(&sum, 1);
  return none;
}

int main(void) {
  int before = everett_preemptions(0);
  RUN(add_thrice, add_thrice);
  everett_preemptions(before);
  RUN(add, add);
  return 0;
}
