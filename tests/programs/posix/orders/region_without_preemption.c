//@ args: --preempt all
//@ paths: 2
// executions: 2
// Two additions that are one region, and a thread that reads between them if it can: it comes before or after both.
#include <assert.h>
#include <everett.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int sum;

static void *twice(void *none) {
  everett_preempt_off();
  atomic_fetch_add(&sum, 1);
  atomic_fetch_add(&sum, 1);
  everett_preempt_on();
  return none;
}

static void *reader(void *none) {
  int seen = atomic_load(&sum);
  assert(seen == 0 || seen == 2);
  return none;
}

int main(void) {
  RUN(twice, reader);
  return 0;
}
